// A parameter hides a function of the same name.
// loupe: run => result 3
f() { return 1; }
main() {
    var x;
    x = f() + g(2);
    return x;
}
g(f) {
    return f;
}
