// loupe: run --args 4 => result 30
main(n) {
    var i, j, sum;
    i = 1; sum = 0;
    while (i <= n) {
        j = 0;
        while (j < i) { sum = sum + i; j = j + 1; }
        i = i + 1;
    }
    return sum;
}
