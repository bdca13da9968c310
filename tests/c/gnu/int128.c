// model: LP64
// Arithmetic on 128 bits.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }

int main(void) {
    u128 a = ~(u128)0;
    show(a);
    show(a * a);
    show(a / 10);
    show(a % 1000000007);
    u128 f = 1;
    for (unsigned i = 2; i <= 33; i++)
        f *= i;
    show(f);
    i128 n = -5;
    show(n);
    show(n >> 1);
    show((u128)n << 100);
    printf("%d %d\n", n < 1, n < (u128)1);
    printf("%lld %lld\n", (long long)(n / 2), (long long)(n % 3));
    printf("%zu\n", sizeof n);
    show((u128)1 << 127 | 1);
    double d = (double)f;
    printf("%.6e\n", d);
    show((i128)-1e20);
    return (int)(f >> 100 & 127);
}
