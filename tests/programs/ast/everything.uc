// loupe: ast => ok
// loupe: ast --indent 2 => ok
f(x, y) {
    return x;
}
main() {
    var a, r;
    var p;
    a = [1, -2, f(3, null)];
    r = {v: a[0], w: !input};
    p = alloc r;
    (*p).v = 1 + 2 * 3;
    if (a[1] < 0) output a[1];
    else { }
    while (0 || (&a == p)) { a[0] = f; }
    return (*p).v;
}
