// loupe: run --input 3 => error index-out-of-bounds 6:13
// loupe: run --input 1000000000000000000000 => error index-out-of-bounds 6:13
main() {
    var a;
    a = [1, 2, 3];
    return a[input];
}
