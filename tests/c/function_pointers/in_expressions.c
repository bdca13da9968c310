// Functions chosen by ?:, comma, array index and member in the call itself.
#include <stdio.h>

static int a(int x) { return x + 1; }
static int b(int x) { return x * 2; }

struct s { int (*f)(int); } s = {b};

int main(void) {
    int (*t[])(int) = {a, b};
    int n = 0;
    printf("%d\n", (n ? a : b)(10));
    printf("%d\n", (n++, t[n])(10));
    printf("%d\n", t[n - 1](t[n](t[0](1))));
    printf("%d\n", (&s)->f(s.f(3)));
    printf("%d\n", (*(n == 1 ? &a : &b))(5));
    return (n == 1 && t[0] == a ? a : b)(20);
}
