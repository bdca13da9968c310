// loupe: run => error type-error 3:17
main() {
    return null + 1;
}
