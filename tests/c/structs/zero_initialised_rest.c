// What an initialiser does not mention is zero.
#include <stdio.h>

struct s { int a; char b[4]; struct { short c; int *d; } e; double f; };

static struct s global;

int main(void) {
    struct s x = {7}, y = {.e.c = 3}, z = {0};
    printf("%d %d %d %d\n", x.b[3], x.e.c, x.e.d == 0, x.f == 0);
    printf("%d %d %d\n", y.a, y.e.c, y.e.d == 0);
    printf("%d %d\n", z.a, z.e.c);
    printf("%d %d\n", global.a, global.e.d == 0);
    return x.a + y.e.c;
}
