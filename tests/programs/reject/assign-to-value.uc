// loupe: run => rejected 3:5
main() {
    1 = 2;
    return 0;
}
