// loupe: run --max-steps 50 => limit
main() {
    var i;
    i = 0;
    while (1) { output i; i = i + 1; }
    return 0;
}
