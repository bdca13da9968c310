// loupe: run => error type-error 5:12
main() {
    var f;
    f = 1;
    return f(2);
}
