// What was put out before the error is seen.
// loupe: run --input "3 2 1" => error division-by-zero 7:28
main() {
    var i;
    i = 3;
    while (1) {
        output (input * 6) / i;
        i = i - 1;
    }
    return 0;
}
