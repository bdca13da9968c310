// loupe: run => error nested-record 5:27
main() {
    var inner, outer;
    inner = {a: 1};
    outer = {other: 1, r: inner};
    return 0;
}
