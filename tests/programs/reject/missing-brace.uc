// loupe: run => rejected 4:1
main() {
    return 0;
