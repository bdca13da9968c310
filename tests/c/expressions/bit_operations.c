// & | ^ ~ on mixed signs and widths.
#include <stdio.h>

int main(void) {
    int a = -16;
    unsigned char m = 0xf0;
    unsigned long long w = 0x123456789abcdef0ULL;
    printf("%d\n", a & m);
    printf("%d\n", a | 5);
    printf("%d\n", a ^ -1);
    printf("%llx\n", w & a);
    printf("%llx\n", w & (unsigned)a);
    printf("%llx\n", w ^ ~0);
    printf("%llx\n", w ^ ~0u);
    printf("%llx\n", w | (signed char)0x80);
    printf("%x\n", ~m & 0xff);
    printf("%d\n", ~m & ~0);
    printf("%d\n", (a & -a));
    unsigned x = 0xdeadbeef;
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    printf("%x\n", x);
    return (int)(w >> 4 & 0x7f);
}
