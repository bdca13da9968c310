// Designators in any order; the next value follows the last designator.
#include <stdio.h>

struct s { int a, b, c, d; };

int main(void) {
    struct s s = {.c = 3, 4, .a = 1, 2};
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    int a[8] = {[5] = 50, 60, [1] = 10, 20, [0] = 5};
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    struct s t[3] = {[2] = {.b = 9}, [0].d = 7, [1] = {1, 2, 3}};
    printf("%d %d %d %d\n", t[2].b, t[0].d, t[1].c, t[0].a);
    return s.d + a[6];
}
