// loupe: run => rejected 3:5
main() {
    main = 5;
    return 0;
}
