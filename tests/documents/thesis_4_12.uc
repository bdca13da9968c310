// Listing 4.12: a condition that no induction variable decides.
main() {
    var i, j, k, n;
    i = input;
    k = input;
    n = input;
    j = 0;
    while (i < n) {
        j = input;
        i = i + j;
        k = k + 1;
    }
    output i;
    output j;
    output k;
    return k;
}
