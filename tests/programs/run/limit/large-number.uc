// Repeated squaring: after 20 rounds the number has a million bits.
// loupe: run => limit
main() {
    var x;
    x = 3;
    while (1) x = x * x;
    return x;
}
