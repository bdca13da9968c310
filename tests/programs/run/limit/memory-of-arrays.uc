// loupe: run --max-cells 100 => limit
main() {
    var a;
    while (1) a = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    return 0;
}
