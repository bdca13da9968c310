// loupe: run => error type-error 5:12
main() {
    var f;
    f = main;
    while (f) f = 0;
    return 0;
}
