// loupe: run => result 60
double(x) { return x * 2; }
inc(x) { return x + 1; }
apply(f, x) { return f(x); }
choose(which) {
    var f;
    if (which) f = double;
    else f = inc;
    return f;
}
main() {
    var r, fs, p, n;
    r = {f: double, g: inc};
    fs = [inc, double];
    p = alloc apply;
    n = r.f(1) + r.g(1);
    output n;
    n = n + fs[0](10) + fs[1](10);
    output n;
    n = n + (*p)(choose(1), 7);
    output n;
    return n + choose(0)(10);
}
