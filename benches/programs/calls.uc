// Recursive calls: about 2.7 million.
fib(n) {
    var result;
    if (n < 2) {
        result = n;
    } else {
        result = fib(n - 1) + fib(n - 2);
    }
    return result;
}

main() {
    output fib(30);
    return 0;
}
