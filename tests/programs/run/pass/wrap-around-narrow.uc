// loupe: run --int-width 8 => result -56
// loupe: run --int-width 64 => result 200
// loupe: run => result 200
main() {
    return 100 + 100;
}
