// A 64 by 64 bit product from 32-bit parts.
#include <stdio.h>

static unsigned long long high(unsigned long long a, unsigned long long b) {
    unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
    unsigned long long m = ah * bl + (al * bl >> 32);
    unsigned long long n = al * bh + (unsigned)m;
    return ah * bh + (m >> 32) + (n >> 32);
}

int main(void) {
    unsigned long long a = 0xfedcba9876543210ULL, b = 0x123456789abcdef1ULL;
    printf("%llx %llx\n", high(a, b), a * b);
    printf("%llx\n", high(~0ULL, ~0ULL));
    printf("%llx\n", high(a, 2));
    return (int)(high(a, b) & 127);
}
