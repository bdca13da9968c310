// A copied list goes its own way.
#include <stdarg.h>
#include <stdio.h>

static int twice(int n, ...) {
    va_list a, b;
    va_start(a, n);
    int first = va_arg(a, int);
    va_copy(b, a);
    int sum = 0, product = 1;
    for (int i = 1; i < n; i++)
        sum += va_arg(a, int);
    for (int i = 1; i < n; i++)
        product *= va_arg(b, int);
    va_end(a);
    va_end(b);
    return first + sum * 100 + product;
}

int main(void) {
    int r = twice(4, 1, 2, 3, 4);
    printf("%d\n", r);
    return r & 127;
}
