// Missing inner braces: values fill the members in order.
#include <stdio.h>

struct in { int a[2]; char c; };
struct out { struct in x; int y; struct in z[2]; };

int main(void) {
    struct out o = {1, 2, 'c', 3, 4, 5, 'd', 6};
    printf("%d %d %c %d %d %d %c %d %d %d\n", o.x.a[0], o.x.a[1], o.x.c, o.y, o.z[0].a[0], o.z[0].a[1], o.z[0].c,
           o.z[1].a[0], o.z[1].a[1], o.z[1].c);
    struct out p = {{{1}, 'c'}, 3, {{4}, 5}};
    printf("%d %d %c %d %d %d %d\n", p.x.a[0], p.x.a[1], p.x.c, p.y, p.z[0].a[0], p.z[0].a[1], p.z[1].a[0]);
    int m[2][3] = {1, 2, 3, 4}, n[2][3] = {{1, 2}, 3, 4};
    printf("%d %d %d %d\n", m[1][0], m[1][1], n[0][2], n[1][1]);
    struct in made = {7, 8, 'm'};
    struct out q = {made, 9, made};
    printf("%d %c %d\n", q.x.a[1], q.z[0].c, q.z[1].a[0]);
    return o.z[1].a[0];
}
