// Mixed operands: which type wins.
#include <stdio.h>

int main(void) {
    signed char sc = -1;
    unsigned char uc = 255;
    short ss = -1;
    unsigned short us = 65535;
    int i = -1;
    unsigned u = 1;
    long long ll = -1;
    unsigned long long ull = 1;
    printf("%d %d\n", sc < uc, sc == uc);
    printf("%d %d\n", ss < us, us == ss);
    printf("%d\n", i < u);
    printf("%d\n", us < u - 2);
    printf("%d\n", ll < u);
    printf("%d\n", ll < ull);
    printf("%d\n", i < ull);
    printf("%d\n", sc + u == 0);
    printf("%llu\n", i + ull + 5);
    printf("%lld\n", ll * u);
    printf("%llu\n", ll + ull * 3);
    printf("%u\n", sc * u);
    printf("%d\n", uc * uc);
    printf("%d\n", (us << 8) >> 8 == us);
    return (uc + sc) & 127;
}
