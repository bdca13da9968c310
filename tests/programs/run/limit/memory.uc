// loupe: run --max-cells 1000 => limit
main() {
    var list;
    list = null;
    while (1) list = alloc {next: list};
    return 0;
}
