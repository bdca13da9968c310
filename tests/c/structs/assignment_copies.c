// Assignment copies everything, arrays included, and nothing is shared but pointers.
#include <stdio.h>

struct s { int a; char text[6]; int *p; struct { int x; } in; };

int main(void) {
    int shared = 1;
    struct s a = {1, "hello", &shared, {5}}, b;
    b = a;
    b.a = 2;
    b.text[0] = 'j';
    *b.p = 9;
    b.in.x++;
    printf("%d %s %d %d\n", a.a, a.text, *a.p, a.in.x);
    printf("%d %s %d %d\n", b.a, b.text, *b.p, b.in.x);
    struct s c = (a = b);
    printf("%d %s\n", c.a, a.text);
    struct s *p = &a, *q = &c;
    p->a = 40;
    *q = *p;
    printf("%d\n", c.a);
    a = a;
    return a.a + (b = c, b).in.x;
}
