// loupe: run => error type-error 5:9
main() {
    var p;
    p = null;
    if (p) output 1;
    return 0;
}
