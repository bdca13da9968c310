// loupe: run => error null-dereference 5:6
main() {
    var p;
    p = null;
    *p = 1;
    return 0;
}
