// loupe: run --int-width 32 => rejected 4:12
// loupe: run --int-width 8 => rejected 4:12
main() {
    return 2147483648;
}
