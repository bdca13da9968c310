// loupe: run => limit
main() {
    return main();
}
