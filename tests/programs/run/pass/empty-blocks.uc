// loupe: run => result 0
main() {
    var i;
    i = 0;
    { { } { } }
    if (i) { } else { }
    while (i) { }
    if (1) { }
    return i;
}
