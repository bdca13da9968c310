// A pointer to a record is no record.
// loupe: run => error type-error 6:13
main() {
    var p;
    p = alloc {a: 1};
    return p.a;
}
