// std: gnu89
// Structs and pointers through functions without prototypes.
#include <stdio.h>

struct pair { int a, b; };

struct pair swap();

int main() {
    struct pair p = {3, 4}, q;
    q = swap(p);
    printf("%d %d\n", q.a, q.b);
    return swap(q).a * 10 + sum(&q);
}

struct pair swap(p) struct pair p; { struct pair q; q.a = p.b; q.b = p.a; return q; }

sum(p) struct pair *p; { return p->a + p->b; }
