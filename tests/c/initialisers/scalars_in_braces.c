// Braces around scalars, trailing commas, empty lists.
#include <stdio.h>

int main(void) {
    int x = {5};
    int *p = {&x};
    char c[] = {"braced"};
    int a[3] = {1, 2, };
    int e[2] = {};
    struct { int i; char *s; } t = {.i = {6}, .s = "s",};
    printf("%d %d %s %d %d %d %s\n", x, *p, c, a[2], e[1], t.i, t.s);
    double d[2] = {1, 'A'};
    printf("%.1f %.1f\n", d[0], d[1]);
    return x + t.i;
}
