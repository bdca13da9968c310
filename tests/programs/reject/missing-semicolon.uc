// loupe: run => rejected 4:10
main() {
    var x;
    x = 1
    return x;
}
