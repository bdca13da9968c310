// A long expression with temporaries of every width.
#include <stdio.h>

int main(void) {
    unsigned char a = 250;
    signed char b = -120;
    short c = -31000;
    unsigned short d = 65000;
    int e = -2000000000;
    unsigned f = 4000000000u;
    long long g = -9000000000000000000LL;
    unsigned long long h = 18000000000000000000ULL;
    unsigned long long r = ((a + b) * c - d) / 7 % 1000 + (e ^ f) + (g >> 5) * (b < a) + (h & f) - (c << 2) +
                           (f >> (a & 7)) * (h / (d + 1)) - (g % 1000003) * (e / (c | 1));
    printf("%llu\n", r);
    long long s = (a - d) * (long long)b + (e + c) / (b - 1) - (g + e) / (a + 1) + !(f - f) * ~d;
    printf("%lld\n", s);
    unsigned t = (unsigned)(a << 24) ^ (unsigned)(b >> 3) ^ (d * d) ^ (unsigned)h;
    printf("%u\n", t);
    return (int)((r ^ s ^ t) & 127);
}
