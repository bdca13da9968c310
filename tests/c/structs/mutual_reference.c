// Two structs that point to each other; one is declared before it is defined.
#include <stdio.h>

struct b;
struct a { int n; struct b *other; };
struct b { char c; struct a *other; struct a own; };

static int follow(struct a *p, int steps) {
    while (steps-- && p->other)
        p = p->other->other;
    return p->n;
}

int main(void) {
    struct a x = {1, 0}, y = {2, 0};
    struct b m = {'m', &y, {3, 0}}, n = {'n', &n.own, {4, &m}};
    x.other = &n;
    printf("%d %d %d %d\n", follow(&x, 0), follow(&x, 1), follow(&x, 2), follow(&x, 3));
    return x.other->other->other->c;
}
