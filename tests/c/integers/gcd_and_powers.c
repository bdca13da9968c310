// Loops of division and multiplication modulo a number.
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static unsigned long long power(unsigned long long base, unsigned e, unsigned long long m) {
    unsigned long long r = 1;
    for (base %= m; e; e >>= 1, base = base * base % m)
        if (e & 1)
            r = r * base % m;
    return r;
}

int main(void) {
    printf("%u %u %u\n", gcd(1071, 462), gcd(0, 9), gcd(4294967295u, 65535));
    printf("%llu %llu\n", power(3, 1000000, 1000000007), power(2, 63, ~0ULL));
    return (int)(power(7, 77, 127));
}
