// model: LP64
// long double has 64 bits of precision on x86-64.
#include <stdio.h>

static long double half(long double x) { return x / 2; }

int main(void) {
    long double a = 1.0L / 3, b = 0.1L;
    printf("%.20Lg %.20Lg\n", a, b);
    printf("%d\n", (double)a == 1.0 / 3);
    printf("%d\n", b == 0.1);
    unsigned long long big = ~0ULL;
    long double exact = big;
    printf("%.0Lf %llu\n", exact, (unsigned long long)exact);
    printf("%zu %zu\n", sizeof(long double), sizeof(a * 1.0));
    printf("%.3Lf %.3Le\n", half(7), half(1e100L));
    double d = half(0.3L);
    printf("%.17g\n", d);
    return (int)(exact == big) + (int)half(9);
}
