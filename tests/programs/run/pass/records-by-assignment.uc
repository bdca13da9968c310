// A literal cannot hold a record, but a field can be given one, as a copy.
// loupe: run => result 1
main() {
    var inner, outer;
    outer = {r: 0};
    inner = {a: 1};
    outer.r = inner;
    inner.a = 2;
    return outer.r.a;
}
