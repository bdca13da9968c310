// loupe: run => error index-out-of-bounds 5:6
main() {
    var a;
    a = [1, 2, 3];
    a[-1] = 0;
    return a[0];
}
