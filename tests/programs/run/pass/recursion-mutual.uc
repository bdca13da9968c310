// loupe: run --args 101 => result 0
// loupe: run --args 1000 => result 1
even(n) {
    var x;
    if (n == 0) x = 1;
    else x = odd(n - 1);
    return x;
}
odd(n) {
    var x;
    if (n == 0) x = 0;
    else x = even(n - 1);
    return x;
}
main(n) {
    return even(n);
}
