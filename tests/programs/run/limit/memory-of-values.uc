// Arrays that are values double with every round.
// loupe: run --arrays value --max-cells 100000 => limit
main() {
    var a;
    a = [1];
    while (1) a = [a, a];
    return 0;
}
