// loupe: cfg => ok
// loupe: cfg --norm --int-width 32 => ok
// loupe: cfg --norm --arrays value => ok
apply(f, a) {
    a[0] = f(a[0]);
    return a;
}
double(x) { return x * 2; }
main() {
    var r, p, a;
    a = apply(double, [21]);
    r = {v: a[0], next: null};
    p = &r;
    (*p).v = input && !0;
    return r.v;
}
