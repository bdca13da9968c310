// loupe: run => error missing-field 5:16
main() {
    var p;
    p = alloc {value: 1};
    output (*p).next;
    return 0;
}
