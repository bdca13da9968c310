// Indices of every integer type.
#include <stdio.h>

enum { TWO = 2 };

int main(void) {
    int a[256];
    for (int i = 0; i < 256; i++)
        a[i] = 1000 + i;
    unsigned char uc = 255;
    signed char sc = 5;
    short s = 100;
    long long w = 7;
    unsigned long long uw = 8;
    _Bool b = 1;
    printf("%d %d %d %d %d %d\n", a[uc], a[sc], a[s], a[w], a[uw], a[b]);
    printf("%d %d\n", a['A'], a[TWO]);
    uc++;
    int *mid = a + 128;
    sc = -128;
    printf("%d %d\n", a[uc], mid[sc]);
    return a[(unsigned char)(uc - 1)] & 127;
}
