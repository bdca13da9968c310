// loupe: run --input 27 => result 111
// loupe: run --input 1 => result 0
main() {
    var n, steps;
    n = input; steps = 0;
    while (n != 1) {
        if (n - n / 2 * 2 == 0) n = n / 2;
        else n = 3 * n + 1;
        steps = steps + 1;
    }
    return steps;
}
