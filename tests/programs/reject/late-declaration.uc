// loupe: run => rejected 5:5
main() {
    var x;
    x = 1;
    var y;
    return x;
}
