// loupe: run => error type-error 5:6
main() {
    var x;
    x = 3;
    *x = 4;
    return x;
}
