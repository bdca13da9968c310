// A limit points to what would have come next.
// loupe: run --max-steps 0 => limit
// loupe: run --max-steps 1 => limit
main() {
    var x;
    x = 1;
    while (x < 10) {
        x = x + 1;
    }
    return 0;
}
