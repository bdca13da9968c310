// Three nested loops with ten million innermost iterations.
main() {
    var i, j, k, count;
    count = 0;
    i = 0;
    while (i < 100) {
        j = 0;
        while (j < 1000) {
            k = 0;
            while (k < 100) {
                count = count + i * j - k;
                k = k + 1;
            }
            j = j + 1;
        }
        i = i + 1;
    }
    output count;
    return 0;
}
