// loupe: run => rejected 4:16
main() {
    var r;
    r = {a: 1, a: 2};
    return r.a;
}
