// loupe: run --input "5 3 9 1 7 2 8" => ok
main() {
    var a, n, i, j, t;
    a = [0, 0, 0, 0, 0, 0, 0]; n = 7;
    i = 0;
    while (i < n) { a[i] = input; i = i + 1; }
    i = 0;
    while (i < n) {
        j = 0;
        while (j < n - i - 1) {
            if (a[j] > a[j + 1]) { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
            j = j + 1;
        }
        i = i + 1;
    }
    i = 0;
    while (i < n) { output a[i]; i = i + 1; }
    return 0;
}
