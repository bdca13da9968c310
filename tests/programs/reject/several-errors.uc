// All errors are shown.
// loupe: run => rejected 4:5
main() {
    a = 1;
    b = 2;
    return c;
}
