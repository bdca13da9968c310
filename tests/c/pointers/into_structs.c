// Pointers to members, and back to the struct around them.
#include <stddef.h>
#include <stdio.h>

struct node { char tag; int value; struct { short a, b; } inner; };

#define CONTAINER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void) {
    struct node n[2] = {{'x', 1, {2, 3}}, {'y', 4, {5, 6}}};
    int *v = &n[1].value;
    short *b = &n[0].inner.b;
    *v += 10;
    b[0]--;
    struct node *back = CONTAINER(v, struct node, value);
    printf("%c %d\n", back->tag, back->value);
    back = CONTAINER(b, struct node, inner.b);
    printf("%c %d\n", back->tag, back->inner.b);
    printf("%d\n", (int)(CONTAINER(v, struct node, value) - n));
    return back[1].inner.a;
}
