// loupe: run => error index-out-of-bounds 3:14
main() {
    return [][0];
}
