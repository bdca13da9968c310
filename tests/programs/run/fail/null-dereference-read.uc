// loupe: run => error null-dereference 5:13
main() {
    var p;
    p = null;
    return *p;
}
