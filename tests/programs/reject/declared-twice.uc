// loupe: run => rejected 3:12
main() {
    var a, a;
    return 0;
}
