// Structs of 1 to 16 bytes, which go through registers on real machines.
#include <stdio.h>

struct one { char c; };
struct three { char c[3]; };
struct mixed { int i; double d; };
struct pair { long long a; unsigned b; };

static struct one inc(struct one o) { o.c++; return o; }
static struct three turn(struct three t) { return (struct three){{t.c[2], t.c[0], t.c[1]}}; }
static struct mixed scale(struct mixed m, int k) { m.i *= k; m.d *= k; return m; }
static struct pair swap(struct pair p) { struct pair q = {p.b, (unsigned)p.a}; return q; }

int main(void) {
    struct one o = {'a'};
    struct three t = {"xyz"};
    struct mixed m = {3, 1.5};
    struct pair p = {-1, 7};
    o = inc(inc(o));
    t = turn(t);
    m = scale(m, 3);
    p = swap(p);
    printf("%c %.3s %d %.2f %lld %u\n", o.c, t.c, m.i, m.d, p.a, p.b);
    return o.c;
}
