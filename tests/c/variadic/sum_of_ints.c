// The plainest variadic function.
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...) {
    va_list args;
    va_start(args, count);
    int total = 0;
    while (count--)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

int main(void) {
    printf("%d %d %d\n", sum(0), sum(1, 42), sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%d\n", sum(3, -1, 'a', (signed char)-100));
    return sum(3, sum(2, 5, 6), sum(1, 7), 8);
}
