// A parameter that may hold a pointer later starts with a number like all others.
// loupe: run --int-width 8 --args 300 => rejected
main(x) {
    output x;
    if (x == 100) {
        x = null;
    }
    return 0;
}
