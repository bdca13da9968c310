// loupe: run => result 4
touch(counter, value) {
    *counter = *counter + 1;
    return value;
}
main() {
    var n, x;
    n = 0;
    x = touch(&n, 0) && touch(&n, 1);
    output x;
    x = touch(&n, 1) || touch(&n, 0);
    output x;
    return n;
}
