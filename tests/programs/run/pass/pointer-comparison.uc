// loupe: run => result 0
main() {
    var x, y, p, q;
    p = &x; q = &x;
    output p == q;
    output p != q;
    output p == &y;
    output p == null;
    output null == null;
    p = alloc 1; q = alloc 1;
    output p == q;
    output *p == *q;
    return 0;
}
