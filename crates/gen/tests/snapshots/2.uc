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
    output x0 == 3 + v0;
    return x0 + v0;
}

f1(v1, v2) {
    var x1;
    x1 = -1 + v2 - (v2 + v1);
    if (v2 != 4 + v2) {
        v1 = v1 + -1 / 4;
    }
    x1 = 1;
    x1 = x1 + (v2 + v2);
    return x1 + 0;
}

main() {
    var n0, x2, x3, x4, list0, u0, x5;
    n0 = input;
    if (n0 < -1 || n0 > 3) {
        n0 = 2;
    }
    x2 = 0;
    x3 = 5;
    x4 = 1;
    list0 = null;
    list0 = alloc {value: x4 + x2, next: list0};
    n0 = 2 / 2;
    if (x4 >= 0) {
        output x3 + 1 + (3 - n0);
        {
            x5 = 2;
            x3 = x3 + (x5 + x4);
            output x5;
        }
    } else {
        if (list0 != null) {
            list0 = (*list0).next;
        } else {
            x4 = input;
            if (x4 < -1 || x4 > 3) {
                x4 = 3;
            }
        }
    }
    n0 = 0;
    x4 = input;
    if (x4 < -1 || x4 > 3) {
        x4 = 2;
    }
    output n0;
    output x2;
    output x3;
    output x4;
    output list0 == null;
    return 0;
}
