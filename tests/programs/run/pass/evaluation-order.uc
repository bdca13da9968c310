// Operands, arguments and parts are evaluated from left to right, the left side of an assignment
// before the right one.
// loupe: run --input "10 3, 1 2 3, 4 5, 6 7, 1 99" => ok
list(a, b, c) {
    output a; output b; output c;
    return 0;
}
main() {
    var x, r;
    output input - input;
    x = list(input, input, input);
    x = [input, input];
    output x[0]; output x[1];
    r = {b: input, a: input};
    output r.b; output r.a;
    x[input] = input;
    output x[1];
    return 0;
}
