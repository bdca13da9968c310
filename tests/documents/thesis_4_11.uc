// Listing 4.11, which returns 1 / (x - z) there, with names that it does not declare.
main() {
    var i, j, a;
    i = input;
    j = input;
    a = input;
    while (i < 100) {
        if (a <= 5) {
            a = a + 1;
        } else {
            a = a - 4;
        }
        if (j < 8) {
            j = j + 1;
        } else {
            j = j - 3;
        }
        i = i + 1;
    }
    output i;
    output j;
    output a;
    return 1 / (a - j);
}
