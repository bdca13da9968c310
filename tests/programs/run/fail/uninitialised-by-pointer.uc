// loupe: run => error uninitialised-value 5:12
main() {
    var x, p;
    p = &x;
    return *p;
}
