// One hundred million iterations of the simplest loop.
main() {
    var i, n, sum;
    n = 100000000;
    i = 0;
    sum = 0;
    while (i < n) {
        sum = sum + i;
        i = i + 1;
    }
    output sum;
    return 0;
}
