// Promises that are kept change nothing.
#include <stdio.h>

static int f(int n) {
    switch (n & 3) {
    case 0: return 5;
    case 1: return 6;
    case 2: return 7;
    case 3: return 8;
    default: __builtin_unreachable();
    }
}

static int g(const int *p) {
    p = __builtin_assume_aligned(p, 4);
    __builtin_prefetch(p);
    return *p;
}

int main(void) {
    int x = 9, sum = 0;
    for (int i = 0; i < 8; i++)
        sum += f(i);
    if (0)
        __builtin_trap();
    printf("%d %d\n", sum, g(&x));
    return sum;
}
