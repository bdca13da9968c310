// loupe gen --language microc --seed 2 --max-top-level-statements 5 --max-block-statements 3 --max-statements 12
f0(v0, q0) {
    var x0;
    x0 = 5;
    if (v0 >= 1) {
        output v0 / 5 + -1;
        x0 = *q0 - x0;
    } else {
        output 2;
    }
    output x0 - v0 != v0;
    return x0 + x0;
}

f1(v1, v2, q1) {
    var x1, i0;
    x1 = 0;
    i0 = 0;
    while (i0 < 3) {
        x1 = f0((v2 + 3) / 4, &v2);
        i0 = i0 + 1;
    }
    i0 = 1;
    x1 = f0(v1, &x1);
    return x1 + (x1 < -3);
}

main() {
    var n0, n1, n2, x2, x3, a0, i1;
    n0 = input;
    if (n0 < -1 || n0 > 3) {
        n0 = 3;
    }
    n1 = input;
    if (n1 < -1 || n1 > 3) {
        n1 = 3;
    }
    n2 = input;
    if (n2 < -1 || n2 > 3) {
        n2 = 1;
    }
    x2 = 3;
    x3 = 3;
    a0 = [-1, 4, x3 - (n0 + 0)];
    output n1;
    if (x3 >= a0[x2] - 2) {
        i1 = 0;
        while (i1 < n2 && i1 < 2) {
            x3 = x3 / 2 + 5;
            i1 = i1 + 1;
        }
        output 5 / (n2 - 2);
    }
    output n0;
    output n1;
    output n2;
    output x2;
    output x3;
    output a0[0];
    return 0;
}
