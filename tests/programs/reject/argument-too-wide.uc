// loupe: run --int-width 8 --args 128 => rejected
main(n) {
    return n;
}
