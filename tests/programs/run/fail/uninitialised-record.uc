// loupe: run => error uninitialised-value 4:5
main() {
    var r;
    r.a = 1;
    return 0;
}
