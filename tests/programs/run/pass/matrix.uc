// loupe: run => ok
multiply(a, b, c) {
    var i, j, k, sum;
    i = 0;
    while (i < 2) {
        j = 0;
        while (j < 2) {
            k = 0; sum = 0;
            while (k < 2) { sum = sum + a[i][k] * b[k][j]; k = k + 1; }
            c[i][j] = sum;
            j = j + 1;
        }
        i = i + 1;
    }
    return 0;
}
main() {
    var c, x;
    c = [[0, 0], [0, 0]];
    x = multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]], c);
    output c[0][0]; output c[0][1]; output c[1][0]; output c[1][1];
    return x;
}
