// loupe: run --args 1000 --max-depth 100 => limit
sum(n) {
    var s;
    if (n == 0) s = 0;
    else s = n + sum(n - 1);
    return s;
}
main(n) {
    return sum(n);
}
