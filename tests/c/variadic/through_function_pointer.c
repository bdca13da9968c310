// A variadic function called through a pointer.
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...) {
    va_list args;
    va_start(args, n);
    int r = 0;
    while (n--)
        r += va_arg(args, int);
    va_end(args);
    return r;
}

static int max(int n, ...) {
    va_list args;
    va_start(args, n);
    int r = va_arg(args, int);
    while (--n) {
        int k = va_arg(args, int);
        r = k > r ? k : r;
    }
    va_end(args);
    return r;
}

int main(void) {
    int (*table[])(int, ...) = {sum, max};
    int (*print)(const char *, ...) = printf;
    print("%d %d\n", table[0](3, 4, 9, 2), table[1](4, 4, 9, 2, 8));
    return table[0](2, 30, 12);
}
