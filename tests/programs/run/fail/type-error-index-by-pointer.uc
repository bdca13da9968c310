// loupe: run => error type-error 5:13
main() {
    var a;
    a = [1, 2];
    return a[null];
}
