// loupe: run => ok
main() {
    var p, q, r;
    p = alloc {a: 1};
    q = p;
    (*q).a = 2;
    output (*p).a;
    r = *p;
    r.a = 3;
    output (*p).a; output r.a;
    *p = r;
    output (*q).a;
    return 0;
}
