// loupe: cfg => ok
// loupe: cfg --norm => ok
main(n) {
    var i, j, sum;
    i = 0; sum = 0;
    while (i < n) {
        j = i;
        while (j > 0) { sum = sum + j; j = j - 1; }
        i = i + 1;
    }
    output sum;
    return 0;
}
