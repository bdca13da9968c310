// loupe: run => rejected 4:9
main() {
    var p;
    p = &main;
    return 0;
}
