// An argument is a use.
// loupe: run => error uninitialised-value 8:16
ignore(x) {
    return 0;
}
main() {
    var x;
    x = ignore(x);
    return x;
}
