// loupe: run => rejected 3:5
main() {
    return 0;
    output 1;
}
