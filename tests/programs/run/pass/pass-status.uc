// loupe: run --pass-status --args 7 => status 7
// loupe: run --pass-status --args 256 => status 0
// loupe: run --pass-status --args -1 => status 255
main(n) {
    return n;
}
