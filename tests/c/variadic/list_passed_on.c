// A va_list given to another function, which takes from it.
#include <stdarg.h>
#include <stdio.h>

static int one(va_list args) { return va_arg(args, int); }
static int through(va_list *args) { return va_arg(*args, int); }

static int all(int n, va_list args) {
    int sum = 0;
    while (n--)
        sum = sum * 10 + va_arg(args, int);
    return sum;
}

static int forward(int n, ...) {
    va_list args;
    va_start(args, n);
    int r = all(n, args);
    va_end(args);
    va_start(args, n);
    int a = through(&args), b = through(&args), c = one(args);
    va_end(args);
    return r + a * 1000 + b * 10000 + c * 100000;
}

int main(void) {
    int r = forward(3, 1, 2, 3);
    printf("%d\n", r);
    return r & 127;
}
