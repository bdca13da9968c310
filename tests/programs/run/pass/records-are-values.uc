// loupe: run => ok
change(r) {
    r.a = 100;
    return r;
}
main() {
    var r, s, t;
    r = {a: 1, b: 2};
    s = r;
    s.a = 10;
    output r.a; output s.a;
    t = change(r);
    output r.a; output t.a; output t.b;
    return 0;
}
