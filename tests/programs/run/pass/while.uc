// loupe: run --args 10 => result 55
// loupe: run --args 0 => result 0
// loupe: run --args -5 => result 0
main(n) {
    var sum;
    sum = 0;
    while (n > 0) {
        sum = sum + n;
        n = n - 1;
    }
    return sum;
}
