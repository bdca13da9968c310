// The builtins behind <stdarg.h>.
#include <stdio.h>

static int sum(int n, ...) {
    __builtin_va_list a, b;
    __builtin_va_start(a, n);
    __builtin_va_copy(b, a);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += __builtin_va_arg(a, int);
    s *= 100;
    for (int i = 0; i < n; i++)
        s += __builtin_va_arg(b, int);
    __builtin_va_end(a);
    __builtin_va_end(b);
    return s;
}

int main(void) {
    int r = sum(3, 1, 2, 3);
    printf("%d\n", r);
    return r & 127;
}
