// loupe: run => rejected 4:10
main() {
    var p;
    p = &1;
    return 0;
}
