// In `a op= b` the operation is done in the common type, and the result is cut to the type of a.
#include <stdio.h>

int main(void) {
    unsigned char c = 100;
    c += 200;
    printf("%d\n", c);
    c *= 3;
    printf("%d\n", c);
    c /= -2;
    printf("%d\n", c);
    signed char s = 100;
    s += 100;
    printf("%d\n", s);
    s <<= 3;
    printf("%d\n", s);
    s >>= 2;
    printf("%d\n", s);
    s = -7;
    s %= 4u;
    printf("%d\n", s);
    short h = -5;
    h /= 2u;
    printf("%d\n", h);
    int i = 10;
    i *= 2.75;
    printf("%d\n", i);
    i -= 0.5;
    printf("%d\n", i);
    _Bool b = 0;
    b += 5;
    b += 5;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    unsigned u = 5;
    u += -6;
    printf("%u\n", u);
    return c;
}
