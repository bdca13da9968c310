// Calling, comparing and passing functions.
#include <stdio.h>

static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }

static int apply(int (*f)(int), int x, int n) {
    while (n--)
        x = f(x);
    return x;
}

static int apply_value(int f(int), int x) { return (*f)(x); }

int main(void) {
    int (*f)(int) = inc;
    printf("%d ", f(1));
    f = &dec;
    printf("%d %d\n", (*f)(1), (**f)(5));
    printf("%d %d %d\n", f == dec, f != inc, !f);
    printf("%d %d\n", apply(inc, 0, 10), apply_value(dec, 8));
    return apply(f == dec ? inc : dec, 40, 2);
}
