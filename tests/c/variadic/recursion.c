// A variadic function that calls itself between two arguments.
#include <stdarg.h>
#include <stdio.h>

static int fold(int depth, ...) {
    va_list args;
    va_start(args, depth);
    int a = va_arg(args, int);
    int inner = depth ? fold(depth - 1, a * 2, a + 1) : 0;
    int b = va_arg(args, int);
    va_end(args);
    return inner * 3 + a - b;
}

int main(void) {
    int r = fold(4, 3, 5);
    printf("%d\n", r);
    return r & 127;
}
