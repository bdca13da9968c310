// The first example of 4.4.1: a counter for the path, and a step that is the same in every iteration.
main() {
    var a, b, e, inc;
    a = input;
    b = input;
    e = input;
    inc = input;
    while (input) {
        a = a + inc;
        b = b - inc;
        e = e;
    }
    output a;
    output b;
    output e;
    return 0;
}
