// Members of anonymous structs and unions are members of the outer one.
#include <stdio.h>

struct outer {
    int kind;
    union {
        struct { int x, y; };
        long long both;
        char bytes[8];
    };
    struct { int named; } in;
};

int main(void) {
    struct outer o = {1, {{2, 3}}, {4}};
    printf("%d %d %d %d\n", o.kind, o.x, o.y, o.in.named);
    o.both = 0x0000000500000006LL;
    printf("%d %d %d\n", o.x, o.y, o.bytes[4]);
    struct outer p = {.y = 8, .in = {9}};
    printf("%d %d %d\n", p.x, p.y, p.in.named);
    struct outer *q = &p;
    q->x = q->y + 1;
    return q->x + o.y;
}
