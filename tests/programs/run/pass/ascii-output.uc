// loupe: run --ascii => result 0
main() {
    output 72; output 105; output 33; output 10;
    output 955; output -1;
    return 0;
}
