// Structs as values of ?:, comma and assignment.
#include <stdio.h>

struct p { int x, y; };

static struct p make(int x) { return (struct p){x, -x}; }

int main(void) {
    struct p a = {1, 2}, b = {3, 4}, c;
    int yes = 1;
    c = yes ? a : b;
    printf("%d %d\n", c.x, c.y);
    printf("%d\n", (yes ? b : a).y);
    printf("%d\n", (a, b).x);
    printf("%d\n", (c = b).y);
    printf("%d\n", (yes ? make(8) : b).y);
    struct p d = (c = make(6), make(7));
    printf("%d %d\n", c.x, d.y);
    return (yes ? &a : &b)->y;
}
