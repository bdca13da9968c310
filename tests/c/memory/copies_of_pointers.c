// Pointers that are moved as bytes still point.
#include <stdio.h>
#include <string.h>

struct s { int *p; char tag; int (*f)(int); };

static int twice(int x) { return 2 * x; }

int main(void) {
    int x = 21, *p = &x, *q;
    memcpy(&q, &p, sizeof q);
    (*q)++;
    printf("%d\n", x);
    struct s s = {&x, 't', twice}, t;
    memcpy(&t, &s, sizeof t);
    printf("%d %c %d\n", *t.p, t.tag, t.f(4));
    int *r;
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&r;
    for (unsigned i = 0; i < sizeof p; i++)
        to[i] = from[i];
    *r += 10;
    printf("%d %d\n", x, r == p);
    int *array[3] = {&x, 0, &x}, *moved[3];
    memmove(moved, array, sizeof array);
    return *moved[2] + (moved[1] == 0);
}
