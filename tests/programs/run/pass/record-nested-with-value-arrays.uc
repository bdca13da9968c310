// loupe: run --arrays value => result 1
main() {
    var inner, outer;
    inner = {a: 1};
    outer = {r: inner};
    inner.a = 2;
    output inner.a;
    return (outer.r).a;
}
