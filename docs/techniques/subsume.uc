main() {
    var x, y, i, n;
    x = input;
    i = input;
    n = input;
    y = x;
    while (i < n) {
        x = x + 1;
        i = i + 1;
    }
    if (x < y) {
        x = 1 / 0;
    }
    return 0;
}
