// Walks one element too far.
// loupe: run --input "3" => error null-dereference 14:18
build(n) {
    var list;
    list = null;
    while (n > 0) {
        list = alloc { value: n, next: list };
        n = n - 1;
    }
    return list;
}
walk(list) {
    while (1) {
        output (*list).value;
        list = (*list).next;
    }
    return 0;
}
main() {
    return walk(build(input));
}
