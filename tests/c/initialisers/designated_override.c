// A later designator wins over an earlier value.
#include <stdio.h>

struct s { int a; struct { int x, y; } in; int z[3]; };

int main(void) {
    int a[4] = {1, 2, 3, 4, [1] = 20, [3] = 40};
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    struct s s = {1, {2, 3}, {4, 5, 6}, .in.y = 30, .z[1] = 50};
    printf("%d %d %d %d %d %d\n", s.a, s.in.x, s.in.y, s.z[0], s.z[1], s.z[2]);
    struct s base = {.a = 7, .in = {8, 9}};
    struct s t[] = {base, {.in = base.in, .a = 80}};
    printf("%d %d %d\n", t[0].in.x, t[1].a, t[1].in.y);
    return a[1] + s.in.y;
}
