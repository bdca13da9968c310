// Initialisers convert as assignments do.
#include <stdio.h>

static unsigned char uc = 300;
static signed char sc = 200;
static _Bool b = 0.1;
static int i = 3.99;
static float f = 1;
static unsigned u = -1;
static long long w = 0xffffffffu;
static unsigned long long uw = -2;
static short a[] = {70000, -70000, 'a', 1.5};

int main(void) {
    printf("%d %d %d %d %.1f %u %lld %llu\n", uc, sc, b, i, f, u, w, uw);
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    unsigned char luc = 300;
    int li = -3.99;
    printf("%d %d\n", luc, li);
    return uc;
}
