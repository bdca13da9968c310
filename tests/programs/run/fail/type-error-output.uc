// loupe: run => error type-error 4:12
main() {
    var x;
    output &x;
    return 0;
}
