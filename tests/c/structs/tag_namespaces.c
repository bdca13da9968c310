// Tags, members and variables live in name spaces of their own.
#include <stdio.h>

struct x { int x; };
enum y { Z = 3 };
typedef struct x t;

int main(void) {
    struct x x = {1};
    t u = {2};
    {
        struct x { char x[3]; struct x *next; } inner = {"ab", 0};
        inner.next = &inner;
        printf("%s %zu\n", inner.next->x, sizeof inner.x);
        t v = x;
        x.x += v.x;
    }
    enum y y = Z;
    int t = 5;
    printf("%d %d %d %d\n", x.x, u.x, y, t);
    return x.x + t;
}
