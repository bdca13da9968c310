// loupe: run --args 100000 => result 5000050000
sum(n) {
    var s;
    if (n == 0) s = 0;
    else s = n + sum(n - 1);
    return s;
}
main(n) {
    return sum(n);
}
