// loupe: run => result 21
// loupe: run --arrays value => result 1
set(a) {
    a[0] = a[0] + 10;
    return 0;
}
main() {
    var a, b, x;
    a = [1, 2, 3];
    b = a;
    b[0] = 11;
    x = set(a);
    output b[0];
    return a[0];
}
