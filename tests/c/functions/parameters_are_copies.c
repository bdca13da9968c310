// Changing a parameter does not touch the argument.
#include <stdio.h>

struct pair { int a, b[2]; };

static int change(int x, struct pair p, int *q) {
    x = 50;
    p.a = 60;
    p.b[1] = 70;
    q++;
    *q = 80;
    return x + p.a + p.b[1];
}

int main(void) {
    int x = 1, cells[2] = {2, 3};
    struct pair p = {4, {5, 6}};
    int r = change(x, p, cells);
    printf("%d %d %d %d %d %d %d\n", r, x, p.a, p.b[0], p.b[1], cells[0], cells[1]);
    return r & 127;
}
