// A number is never compared with a pointer.
// loupe: run => error type-error 6:14
main() {
    var p;
    p = alloc 0;
    return p == 0;
}
