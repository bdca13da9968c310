// loupe: run => error type-error 3:12
main() {
    return !null;
}
