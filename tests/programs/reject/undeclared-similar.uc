// loupe: run => rejected 6:5
main() {
    var counter;
    counter = 1;
    output counter;
    countr = 2;
    return counter;
}
