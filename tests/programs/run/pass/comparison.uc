// loupe: run => ok
show(a, b) {
    output a == b; output a != b;
    output a < b; output a <= b;
    output a > b; output a >= b;
    return 0;
}
main() {
    var x;
    x = show(1, 2) + show(2, 2) + show(3, 2) + show(-1, 0);
    return x;
}
