// Exchanging pointers and what they point to.
#include <stdio.h>

static void swap_values(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void swap_pointers(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    int x = 1, y = 2, *p = &x, *q = &y;
    swap_values(p, q);
    printf("%d %d %d %d\n", x, y, *p, *q);
    swap_pointers(&p, &q);
    printf("%d %d %d %d\n", x, y, *p, *q);
    swap_pointers(&p, &p);
    *p = 9;
    printf("%d %d\n", x, y);
    return x * 10 + y;
}
