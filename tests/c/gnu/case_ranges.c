// Ranges in cases, with negative and single values.
#include <stdio.h>

static int f(int x) {
    switch (x) {
    case -10 ... -1: return 1;
    case 0: return 2;
    case 1 ... 1: return 3;
    case 2 ... 99: return 4;
    case 'a' + 100 ... 1000: return 5;
    default: return 6;
    }
}

static int g(unsigned char c) {
    switch (c) {
    case 0 ... 127: return 1;
    case 128 ... 255: return 2;
    }
    return 3;
}

int main(void) {
    int v[] = {-11, -10, -1, 0, 1, 2, 99, 100, 197, 1000, 1001}, hash = 0;
    for (int i = 0; i < 11; i++)
        printf("%d", f(v[i])), hash = hash * 3 + f(v[i]);
    printf("\n%d %d\n", g(127), g(200));
    return hash & 127;
}
