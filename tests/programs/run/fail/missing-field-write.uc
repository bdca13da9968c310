// Fields are fixed when the record is made.
// loupe: run => error missing-field 6:6
main() {
    var r;
    r = {a: 1};
    r.b = 2;
    return r.a;
}
