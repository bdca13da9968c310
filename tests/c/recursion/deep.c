// A thousand frames with arrays in them.
#include <stdio.h>

static unsigned down(int n, unsigned seed) {
    unsigned cells[8];
    for (int i = 0; i < 8; i++)
        cells[i] = seed = seed * 1664525u + 1013904223u;
    unsigned below = n ? down(n - 1, cells[n & 7]) : seed;
    return below ^ cells[below & 7];
}

int main(void) {
    unsigned r = down(1000, 1);
    printf("%u\n", r);
    return r & 127;
}
