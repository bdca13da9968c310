// A chain of casts cuts and extends at every step.
#include <stdio.h>

int main(void) {
    int x = 0x1234abcd;
    printf("%d\n", (signed char)x);
    printf("%d\n", (unsigned char)x);
    printf("%d\n", (int)(unsigned char)(signed char)-1);
    printf("%d\n", (short)(unsigned short)40000);
    printf("%lld\n", (long long)(int)0xffffffffu);
    printf("%lld\n", (long long)(unsigned)-1);
    printf("%llu\n", (unsigned long long)-1);
    printf("%llu\n", (unsigned long long)(signed char)0x80);
    printf("%d\n", (_Bool)0x100);
    printf("%d\n", (unsigned char)0x100);
    printf("%d\n", (int)(char)(unsigned short)(-0x7fLL));
    printf("%x\n", (unsigned)(short)0x8000);
    return (unsigned char)(x >> 4) & 127;
}
