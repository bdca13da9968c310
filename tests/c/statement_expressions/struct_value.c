// Structs and pointers as values.
#include <stdio.h>

struct p { int x, y; };

int main(void) {
    struct p a = ({ struct p t = {1, 2}; t.x += 10; t; });
    printf("%d %d\n", a.x, a.y);
    printf("%d\n", ({ a; }).y);
    struct p *q = ({ struct p *t = &a; t->y = 7; t; });
    q->x++;
    printf("%d %d\n", a.x, a.y);
    a = ({ (struct p){5, 6}; });
    return ({ a; }).x + a.y;
}
