// Only the question, not the result.
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d\n", __builtin_add_overflow_p(INT_MAX, 1, 0));
    printf("%d\n", __builtin_add_overflow_p(INT_MAX, 1, 0LL));
    printf("%d\n", __builtin_sub_overflow_p(0u, 1u, 0u));
    printf("%d\n", __builtin_mul_overflow_p(16, 16, (unsigned char)0));
    printf("%d\n", __builtin_mul_overflow_p(16, 15, (unsigned char)0));
    return __builtin_add_overflow_p(100, 100, (signed char)0) + 2;
}
