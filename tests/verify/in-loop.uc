// loupe verify
main() {
    var i, a, n;
    a = [3, 1, 2];
    n = input;
    i = 0;
    while (i < n) {
        a[i] = 0;
        i = i + 1;
    }
    return 0;
}
