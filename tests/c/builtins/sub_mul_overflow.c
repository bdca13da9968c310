// The same for differences and products, and the typed forms.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int i, n = 0;
    unsigned u;
    long long w;
    unsigned long long uw;
    unsigned char c;
    n += __builtin_sub_overflow(INT_MIN, 1, &i);
    printf("%d %d\n", n, i);
    n += __builtin_sub_overflow(3u, 5u, &i);
    printf("%d %d\n", n, i);
    n += __builtin_sub_overflow(3u, 5u, &u);
    printf("%d %u\n", n, u);
    n += __builtin_mul_overflow(65536, 65536, &i);
    printf("%d %d\n", n, i);
    n += __builtin_mul_overflow(65536, 65536, &w);
    printf("%d %lld\n", n, w);
    n += __builtin_mul_overflow(-1LL, LLONG_MIN, &w);
    printf("%d %lld\n", n, w);
    n += __builtin_mul_overflow(~0ULL, 2, &uw);
    printf("%d %llu\n", n, uw);
    n += __builtin_mul_overflow(-3, -5, &c);
    printf("%d %d\n", n, c);
    n += __builtin_sadd_overflow(INT_MAX, -1, &i);
    n += __builtin_umul_overflow(1u << 20, 1u << 20, &u);
    n += __builtin_ssubll_overflow(LLONG_MIN, 1, &w);
    printf("%d %d %u %lld\n", n, i, u, w);
    return n;
}
