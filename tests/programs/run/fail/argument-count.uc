// loupe: run => error argument-count 8:13
add(x, y) {
    return x + y;
}
main() {
    var f;
    f = add;
    return f(1);
}
