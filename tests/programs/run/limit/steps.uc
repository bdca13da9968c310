// loupe: run --max-steps 1000 => limit
main() {
    while (1) { }
    return 0;
}
