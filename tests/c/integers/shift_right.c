// Right shifts are arithmetic on signed and logical on unsigned values.
#include <stdio.h>

int main(void) {
    int n = -17;
    printf("%d %d %d\n", n >> 1, n >> 4, n >> 31);
    unsigned u = (unsigned)n;
    printf("%u %u\n", u >> 1, u >> 31);
    long long w = -1LL << 40;
    printf("%lld %lld\n", w >> 38, w >> 63);
    printf("%llu\n", (unsigned long long)w >> 38);
    signed char c = -128;
    printf("%d\n", c >> 3);
    unsigned char d = 0x80;
    printf("%d\n", d >> 3);
    printf("%d\n", (unsigned short)n >> 15);
    printf("%d\n", n >> 1 << 1);
    printf("%d\n", -1 >> 10u);
    n >>= 2;
    return n & 127;
}
