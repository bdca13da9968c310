// The returned value is converted to the return type.
#include <stdio.h>

static unsigned char byte(int x) { return x; }
static signed char sbyte(int x) { return x; }
static _Bool truth(double x) { return x; }
static int whole(double x) { return x; }
static double real(int x) { return x; }
static unsigned long long wide(int x) { return x; }
static short cut(long long x) { return x + 1; }

int main(void) {
    printf("%d %d %d\n", byte(511), sbyte(255), truth(0.1));
    printf("%d %d %.2f\n", whole(-2.9), whole(2.9), real(7) / 2);
    printf("%llu %d\n", wide(-1), cut(0x17fff));
    return byte(-1) & 127;
}
