// Unnamed fields take no value in an initialiser.
#include <stdio.h>

struct s { unsigned a : 4, : 4, b : 4; unsigned : 0; int c : 6; };

int main(void) {
    struct s s = {1, 2, 3}, t = {.c = -5, .a = 17};
    printf("%u %u %d\n", s.a, s.b, s.c);
    printf("%u %u %d\n", t.a, t.b, t.c);
    static struct s u = {15, 14, -32};
    printf("%u %u %d\n", u.a, u.b, u.c);
    return s.a + s.b + s.c;
}
