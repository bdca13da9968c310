// Members of a returned struct are used at once.
#include <stdio.h>

struct point { int x, y; };
struct line { struct point from, to; char name[4]; };

static struct point point(int x, int y) { return (struct point){x, y}; }
static struct line line(int n) {
    struct line l = {point(n, n + 1), point(n + 2, n + 3), "ab"};
    l.name[2] = (char)('0' + n);
    return l;
}

int main(void) {
    printf("%d\n", point(3, 4).y);
    printf("%d\n", line(5).to.x);
    printf("%c\n", line(7).name[2]);
    printf("%s\n", line(2).name);
    struct point p = line(1).from;
    p.x += point(10, 20).x + line(0).to.y;
    printf("%d %d\n", p.x, p.y);
    return p.x + p.y;
}
