// loupe gen --language c --seed 2 --max-top-level-statements 5 --max-block-statements 3 --max-statements 12
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

void reach_error(void) {
    assert(0);
}

int f0(int v0, int *q0) {
    int x0 = 5;
    if (!(!(x0 + 3 != -3))) {
        reach_error();
    }
    x0 += -1;
    return x0 > 0;
}

int f1(int v1, int *q1) {
    int x1 = (v1 - v1 % -2) % 9;
    x1 = x1 >= 3;
    x1++;
    return x1 + 4;
}

int main(void) {
    int n0 = __VERIFIER_nondet_int();
    if (n0 < -1 || n0 > 3) {
        n0 = 0;
    }
    unsigned int x2 = 4;
    unsigned int x3 = n0;
    int x4 = 2;
    int *p0 = &n0;
    int i0 = 0;
    while (i0 < n0) {
        x4 -= i0 - i0;
        i0++;
    }
    if (p0 != NULL) {
        *p0 = i0;
    }
    if (x2 >= 1 && x3 + 3 <= 4) {
        printf("%d\n", 6 / (n0 - 2));
    } else {
        {
            int x5 = 2;
            x3 -= x4 - i0;
            printf("%d\n", x5);
        }
    }
    if (!(n0 <= 3)) {
        reach_error();
    }
    printf("%d\n", x4);
    printf("%d\n", n0);
    printf("%u\n", x2);
    printf("%u\n", x3);
    printf("%d\n", x4);
    if (p0 != NULL) {
        printf("%d\n", *p0);
    }
    return 0;
}
