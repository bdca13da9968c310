// loupe: run => error type-error 3:14
main() {
    return 1 * [1];
}
