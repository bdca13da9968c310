// An array in a struct can be assigned, passed and returned.
#include <stdio.h>

struct row { int c[4]; };

static struct row shift(struct row r) {
    int last = r.c[3];
    for (int i = 3; i; i--)
        r.c[i] = r.c[i - 1];
    r.c[0] = last;
    return r;
}

int main(void) {
    struct row a = {{1, 2, 3, 4}}, b[2];
    b[0] = shift(a);
    b[1] = shift(b[0]);
    a = b[1];
    printf("%d %d %d %d\n", a.c[0], b[0].c[0], b[1].c[3], shift(shift(a)).c[0]);
    int *p = b[1].c;
    *++p = 77;
    printf("%d %d\n", b[1].c[1], a.c[1]);
    return b[1].c[1] + a.c[0];
}
