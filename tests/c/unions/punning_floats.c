// The bits of float and double.
#include <stdio.h>

union f { float f; unsigned u; };
union d { double d; unsigned long long u; unsigned char b[8]; };

int main(void) {
    union f f = {1.0f};
    printf("%x\n", f.u);
    f.f = -0.15625f;
    printf("%x %u\n", f.u, f.u >> 23 & 255);
    f.u = 0x7f800000;
    printf("%d\n", f.f > 1e38f);
    f.u = 0x40490fdb;
    printf("%.5f\n", f.f);
    union d d = {.d = -2.0};
    printf("%llx %x\n", d.u, d.b[7]);
    d.u ^= 1ULL << 63;
    printf("%.1f\n", d.d);
    d.u = 0x3ff8000000000000ULL;
    printf("%.2f\n", d.d);
    return d.b[6] & 127;
}
