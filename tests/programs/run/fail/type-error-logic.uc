// Both sides of `||` are numbers, also where the left one decides.
// loupe: run => error type-error 4:14
main() {
    return 1 || null;
}
