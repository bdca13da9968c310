// Structs with padding, compared member by member.
#include <stdio.h>
#include <string.h>

struct s { char c; int i; short h; };

static int same(struct s a, struct s b) { return a.c == b.c && a.i == b.i && a.h == b.h; }

int main(void) {
    struct s a = {'a', 5, 6}, b = a, c;
    memset(&c, 0xff, sizeof c);
    c.c = 'a', c.i = 5, c.h = 6;
    printf("%d %d\n", same(a, b), same(a, c));
    c.h++;
    printf("%d\n", same(a, c));
    return same(a, b) * 5;
}
