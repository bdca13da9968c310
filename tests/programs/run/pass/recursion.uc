// loupe: run --args 15 => result 610
fib(n) {
    var x;
    if (n < 2) x = n;
    else x = fib(n - 1) + fib(n - 2);
    return x;
}
main(n) {
    return fib(n);
}
