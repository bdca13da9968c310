// loupe: run => result 42
main() {
    var p;
    p = alloc alloc alloc 41;
    ***p = ***p + 1;
    return ***p;
}
