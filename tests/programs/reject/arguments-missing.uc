// loupe: run => rejected
// loupe: run --args 1 => rejected
// loupe: run --args 1 2 3 => rejected
// loupe: run --args 1 x => rejected
main(a, b) {
    return a + b;
}
