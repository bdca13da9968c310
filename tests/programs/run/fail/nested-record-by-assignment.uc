// loupe: run => error nested-record 5:15
main() {
    var inner, outer;
    outer = {r: 0}; inner = {a: 1};
    outer.r = inner;
    return 0;
}
