// loupe: run --input "7 2" => error division-by-zero 7:26
// loupe: run --input "5 x2" => error division-by-zero 7:26
main() {
    var a, b;
    a = input;
    b = input;
    return 100 + (a * b) / (a - a);
}
