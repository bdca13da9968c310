// `-` stands only before a literal.
// loupe: run => rejected 6:12
main() {
    var x;
    x = 1;
    return -x;
}
