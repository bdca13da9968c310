// An assignment has the value that was stored, in the type of the left side.
#include <stdio.h>

int main(void) {
    unsigned char c;
    int i;
    i = c = 300;
    printf("%d %d\n", i, c);
    signed char s;
    i = s = 200;
    printf("%d %d\n", i, s);
    _Bool b;
    i = b = 256;
    printf("%d %d\n", i, b);
    unsigned short h = 0;
    i = h -= 1;
    printf("%d %d\n", i, h);
    int a, d, e;
    a = d = e = 5;
    a += d -= e *= 2;
    printf("%d %d %d\n", a, d, e);
    if ((i = c) == 44)
        printf("stored %d\n", i);
    float f;
    double g = f = 0.1;
    printf("%d\n", g == 0.1);
    return i;
}
