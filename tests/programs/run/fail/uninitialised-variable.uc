// Only one branch gives it a value.
// loupe: run --input 0 => error uninitialised-value 7:16
main() {
    var x;
    if (input) x = 1;
    else { }
    return 1 + x;
}
