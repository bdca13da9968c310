// Jumps from one branch of an if into another, and between cases.
#include <stdio.h>

static int f(int x) {
    int r = 0;
    if (x == 0) {
        r += 1;
        goto other;
    } else {
        r += 2;
    other:
        r += 4;
    }
    switch (x) {
    case 1:
        r += 10;
        goto three;
    case 2:
        r += 20;
        break;
    case 3:
    three:
        r += 40;
    }
    return r;
}

int main(void) {
    printf("%d %d %d %d\n", f(0), f(1), f(2), f(3));
    return f(0) + f(1);
}
