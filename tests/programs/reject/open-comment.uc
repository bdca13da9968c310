// loupe: run => rejected 3:5
main() {
    /* for ever
    return 0;
}
