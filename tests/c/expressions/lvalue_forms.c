// All the ways to name what is assigned to.
#include <stdio.h>

struct pair { int x, y[2]; };

static int global;
static int *where(void) { return &global; }

int main(void) {
    int a = 0, b[3] = {0}, *p = &a;
    struct pair s = {0, {0, 0}}, *q = &s;
    (a) = 1;
    *&a += 1;
    *p += 1;
    p[0] += 1;
    0[p] += 1;
    b[1] = 2;
    2 [b] = 3;
    *(b + 0) = 4;
    s.x = 5;
    q->y[1] = 6;
    (*q).y[0] = 7;
    *(*&q)->y += 1;
    *where() = 8;
    where()[0] += 1;
    ((struct pair *)q)->x++;
    printf("%d %d %d %d %d %d %d %d\n", a, b[0], b[1], b[2], s.x, s.y[0], s.y[1], global);
    return a + global;
}
