// model: LP64
// long has 64 bits.
#include <stdio.h>

int main(void) {
    long a = 3000000000, b = -7;
    unsigned long u = b;
    printf("%ld %ld %ld\n", a * b, a / b, a % b);
    printf("%lu %lu\n", u, u / 3);
    printf("%ld\n", a << 20);
    printf("%ld\n", b >> 60);
    printf("%d\n", (int)a);
    printf("%d\n", b < 5u);
    printf("%d\n", b < 5ul);
    unsigned x = -1;
    printf("%ld\n", x + 1L);
    printf("%lu\n", x + 1ul);
    return (int)(a >> 25);
}
