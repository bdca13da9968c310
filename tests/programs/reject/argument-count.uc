// A function that is called by its name must get its arguments.
// loupe: run => rejected 5:13
f(x) { return x; }
main() {
    return f(1, 2);
}
