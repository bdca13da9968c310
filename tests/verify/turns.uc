// loupe verify
main() {
    var i, n, a, b, t;
    n = input;
    i = 0; a = 0; b = 0; t = 0;
    while (i < n) {
        if (t == 0) { a = a + 2; t = 1; }
        else { b = b + 1; t = 0; }
        i = i + 1;
    }
    if (a == 100) { output 1 / (b - 50); }
    return 0;
}
