// loupe gen --language microc --seed 2 --max-top-level-statements 5 --max-block-statements 3 --max-statements 12
f0(v0, q0) {
    var x0, s0;
    x0 = 5;
    s0 = -1;
    while (s0 < 7) {
        if (v0 != v0 + 3) {
            s0 = s0 + 2;
        } else {
            s0 = s0 + 3;
        }
        v0 = 3 * v0 + (v0 + v0);
    }
    x0 = (x0 + x0) / 2;
    return x0 + (s0 + 1);
}

f1(v1, v2, b0) {
    var x1, x2;
    x1 = b0[0];
    {
        x2 = 2;
        x2 = x2 - (x1 + -2);
        output x2;
    }
    x1 = x1 + (x1 + -2);
    v1 = v2 + x1 - x1 / 4;
    return x1 + x1;
}

main() {
    var n0, n1, x3, x4, x5, a0, i0;
    n0 = input;
    if (n0 < -1 || n0 > 3) {
        n0 = -1;
    }
    n1 = input;
    if (n1 < -1 || n1 > 3) {
        n1 = 3;
    }
    x3 = 1;
    x4 = 2;
    x5 = 1;
    a0 = [2, x5 + x5, 5];
    x3 = f1(1, x5, a0);
    x3 = f0(a0[1] - (x3 + n1), null);
    i0 = 1;
    while (i0 < n1) {
        if (x4 == n0 + 2) {
            x4 = x5 / i0 - x4;
        }
        x5 = f0(x4 + x3, &x4);
        x4 = n1 + i0 - (i0 - 4);
        i0 = i0 + 1;
    }
    i0 = 1;
    x5 = f0(n1, &x5);
    output n0;
    output n1;
    output x3;
    output x4;
    output x5;
    output a0[0];
    return 0;
}
