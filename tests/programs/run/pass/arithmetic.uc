// loupe: run => result 14
main() {
    output 2 + 3 * 4;
    output (2 + 3) * 4;
    output 10 - 3 - 2;
    output 100 / 10 / 2;
    output 2 * 3 / 4;
    output -5 - -3;
    output 3 -1;
    return 2 + 3 * 4;
}
