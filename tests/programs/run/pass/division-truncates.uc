// loupe: run --input "7 2, -7 2, 7 -2, -7 -2, 1 3, -1 3, 0 5" => ok
main() {
    var i;
    i = 0;
    while (i < 7) {
        output input / input;
        i = i + 1;
    }
    return 0;
}
