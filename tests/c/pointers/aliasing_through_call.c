// Two parameters that point to the same place.
#include <stdio.h>

static int add_both(int *a, int *b) {
    *a += 1;
    *b += 10;
    *a *= 2;
    return *a + *b;
}

static int g = 3;

int main(void) {
    int x = 5, y = 7;
    int r = add_both(&x, &y);
    printf("%d %d %d\n", r, x, y);
    r = add_both(&x, &x);
    printf("%d %d\n", r, x);
    r = add_both(&g, &g);
    printf("%d %d\n", r, g);
    return g;
}
