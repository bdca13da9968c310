// Arguments are converted to the types of the parameters; the callee owns its copies.
#include <stdio.h>

static int narrow(signed char c, unsigned short h, _Bool b, float f) {
    c += 1;
    return c * 1000 + h % 1000 + b * 10 + (f == 2.5f);
}

static long long wide(long long a, unsigned long long b) { return a + (b > 5); }

int main(void) {
    int x = 300;
    printf("%d\n", narrow(x, -1, x, 2.5));
    printf("%d\n", narrow(3.99, 65536 + 7, 0.25, 2));
    printf("%d\n", x);
    printf("%lld\n", wide(-1, -1));
    printf("%lld\n", wide(4000000000u, 5));
    unsigned char c = 255;
    printf("%lld\n", wide(c + 1, (signed char)c));
    return narrow(0, 0, 0, 0) & 127;
}
