// loupe: run => rejected 5:1
main() {
    var x;
    x = 1;
}
