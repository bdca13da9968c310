// A variable may hold values of different types, one after the other.
// loupe: run --input "0 1 2 3" => ok
show(x, kind) {
    if (kind == 0) output x;
    if (kind == 1) output *x;
    if (kind == 2) output x[0];
    if (kind == 3) output x.a;
    return 0;
}
main() {
    var x, i, y;
    i = input;
    while (i >= 0) {
        if (i == 0) x = 1;
        if (i == 1) x = alloc 2;
        if (i == 2) x = [3];
        if (i == 3) x = {a: 4};
        y = show(x, i);
        i = input;
    }
    return 0;
}
