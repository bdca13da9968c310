// loupe: run => error missing-field 5:13
main() {
    var r;
    r = {a: 1, b: 2};
    return r.c;
}
