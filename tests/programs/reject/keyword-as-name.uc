// loupe: run => rejected 3:9
main() {
    var while;
    return 0;
}
