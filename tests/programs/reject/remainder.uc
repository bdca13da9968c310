// microc has no remainder.
// loupe: run => rejected 4:14
main() {
    return 7 % 2;
}
