// loupe: run => result 7
swap(a, b) {
    var t;
    t = *a; *a = *b; *b = t;
    return 0;
}
main() {
    var x, y, p, pp, z;
    x = 3; y = 10;
    z = swap(&x, &y);
    output x; output y;
    p = &x; pp = &p;
    **pp = 4;
    *pp = &y;
    *p = 3;
    output x; output y;
    return x + y;
}
