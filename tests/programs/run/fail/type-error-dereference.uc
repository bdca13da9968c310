// loupe: run --input 3 => error type-error 5:13
main() {
    var x;
    x = input;
    return *x;
}
