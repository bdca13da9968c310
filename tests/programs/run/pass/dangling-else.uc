// An `else` belongs to the nearest `if`.
// loupe: run --input "0 0 0 1 1 0 1 1" => ok
main() {
    var i, a, b;
    i = 0;
    while (i < 4) {
        a = input; b = input;
        if (a) if (b) output 11; else output 10;
        i = i + 1;
    }
    return 0;
}
