// Structs in a union that begin alike.
#include <stdio.h>

struct circle { int kind; int radius; };
struct box { int kind; int width, height; };
union shape { int kind; struct circle c; struct box b; };

static int area(union shape s) { return s.kind == 1 ? 3 * s.c.radius * s.c.radius : s.b.width * s.b.height; }

int main(void) {
    union shape s[2] = {{.c = {1, 5}}, {.b = {2, 3, 4}}};
    printf("%d %d\n", area(s[0]), area(s[1]));
    s[0].b.kind = 2;
    printf("%d\n", s[0].c.kind);
    s[1] = (union shape){.c = {1, 2}};
    return area(s[1]) + s[1].b.kind;
}
