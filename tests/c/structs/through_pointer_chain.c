// a->b->c[i].d and its like.
#include <stdio.h>

struct leaf { int d; struct root *up; };
struct mid { struct leaf c[3]; };
struct root { struct mid *b; int id; };

int main(void) {
    struct mid m = {{{1, 0}, {2, 0}, {3, 0}}};
    struct root r = {&m, 50}, *a = &r;
    a->b->c[1].up = a;
    a->b->c[1].up->b->c[2].d = 30;
    (*(*a).b).c[0].d++;
    (&a->b->c[0])[1].d *= 4;
    a->b->c->up = a->b->c[1].up;
    printf("%d %d %d\n", m.c[0].d, m.c[1].d, m.c[2].d);
    printf("%d\n", a->b->c->up->id + a->b->c[1].up->b->c[1].up->id);
    return a->b->c[2].d;
}
