// Reading the bytes of a number, least first.
#include <stdio.h>

union u { unsigned long long w; unsigned i[2]; unsigned short h[4]; unsigned char b[8]; signed char s[8]; };

int main(void) {
    union u u = {0x8877665544332211ULL};
    printf("%x %x\n", u.i[0], u.i[1]);
    printf("%x %x\n", u.h[1], u.h[3]);
    printf("%x %x %d\n", u.b[0], u.b[7], u.s[7]);
    u.b[3] = 0;
    u.h[3] = 1;
    printf("%llx\n", u.w);
    u.i[0]++;
    printf("%llx\n", u.w);
    u.s[1] = -1;
    printf("%llx\n", u.w);
    return u.b[2];
}
