// loupe: run => rejected 4:12
// loupe: cfg => rejected 4:12
main() {
    return x;
}
