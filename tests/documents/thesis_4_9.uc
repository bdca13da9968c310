// Listing 4.9, with the functions that it calls: the first fails, and is never called.
some_fnc() { return 1 / 0; }
some_fnc2() { return 2; }
main() {
    var a, i, n, r;
    a = 0;
    i = input;
    n = input;
    while (i < n) {
        a = a + 2;
        i = i + 1;
    }
    output a;
    output i;
    if (a == 15) {
        r = some_fnc();
    } else {
        r = some_fnc2();
    }
    return 0;
}
