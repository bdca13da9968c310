// Struct types declared in functions, loops and parameter lists of sizeof.
#include <stdio.h>

static int f(int n) {
    struct pair { int a, b; } p = {n, n + 1};
    for (int i = 0; i < 2; i++) {
        struct pair { char a; } q = {(char)i};
        p.a += q.a + (int)sizeof(struct pair);
    }
    return p.a * p.b;
}

int main(void) {
    printf("%d\n", f(3));
    printf("%zu\n", sizeof(struct { char c; short s; }));
    struct { int x; } a = {4}, b = a;
    printf("%d\n", b.x);
    return f(1);
}
