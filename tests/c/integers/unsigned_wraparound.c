// Unsigned arithmetic is modulo 2^N for every width.
#include <stdio.h>

int main(void) {
    unsigned u = 0;
    u--;
    printf("%u\n", u);
    u *= u;
    printf("%u\n", u);
    u = 0x80000000u;
    printf("%u %u %u\n", u + u, u * 3, -u);
    unsigned long long w = 0;
    printf("%llu\n", w - 1);
    w = 0x8000000000000000ULL;
    printf("%llu %llu\n", w + w + 1, w * 5);
    unsigned short h = 65535;
    printf("%d\n", h + 1);
    h++;
    printf("%d\n", h);
    unsigned char c = 16;
    c = c * c;
    printf("%d\n", c);
    c -= 1;
    printf("%d\n", c);
    return c & 127;
}
