// Overflow is judged in the type of the result, with unlimited precision in between.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int i;
    unsigned u;
    signed char c;
    long long w;
    int n = 0;
    n += __builtin_add_overflow(INT_MAX, 1, &i);
    printf("%d %d\n", n, i);
    n += __builtin_add_overflow(100, 27, &c);
    printf("%d %d\n", n, c);
    n += __builtin_add_overflow(100, 28, &c);
    printf("%d %d\n", n, c);
    n += __builtin_add_overflow(INT_MAX, INT_MAX, &w);
    printf("%d %lld\n", n, w);
    n += __builtin_add_overflow(-1, 1u, &i);
    printf("%d %d\n", n, i);
    n += __builtin_add_overflow(-5, 3u, &u);
    printf("%d %u\n", n, u);
    n += __builtin_add_overflow(UINT_MAX, 1u, &w);
    printf("%d %lld\n", n, w);
    return n;
}
