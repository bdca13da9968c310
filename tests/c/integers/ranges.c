// Limits of the integer types that both data models agree on.
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", CHAR_MIN, CHAR_MAX, CHAR_BIT);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long long), sizeof(_Bool));
    printf("%d %d\n", INT_MIN == -INT_MAX - 1, LONG_MIN == -LONG_MAX - 1);
    printf("%d\n", (LONG_MAX >> 30) >= 1);
    return CHAR_BIT;
}
