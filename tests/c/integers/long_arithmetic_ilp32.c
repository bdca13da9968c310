// model: ILP32
// long has 32 bits.
#include <stdio.h>

int main(void) {
    long a = 2000000000, b = -7;
    unsigned long u = b;
    printf("%ld %ld %ld\n", a * b, a / b, a % b);
    printf("%lu %lu\n", u, u / 3);
    printf("%ld\n", a << 3);
    printf("%ld\n", b >> 30);
    printf("%lld\n", a * 4LL);
    printf("%d\n", b < 5u);
    printf("%d\n", b < 5ul);
    unsigned x = -1;
    printf("%ld\n", x + 1L);
    printf("%lld\n", x + 1LL);
    printf("%lld\n", (long long)(a + a));
    return (int)(a >> 25);
}
