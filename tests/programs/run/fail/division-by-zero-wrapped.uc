// The divisor is 2^32, which is 0 in 32 bits.
// loupe: run --int-width 32 => error division-by-zero 6:14
main() {
    var d;
    d = 65536 * 65536;
    return 1 / d;
}
