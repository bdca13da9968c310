// loupe: run => error type-error 5:13
main() {
    var x;
    x = 3;
    return x[0];
}
