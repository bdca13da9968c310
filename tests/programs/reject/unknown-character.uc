// loupe: run => rejected 3:14
main() {
    return 1 § 2;
}
