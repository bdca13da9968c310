// The value of ++x is new, that of x++ is old; small types wrap.
#include <stdio.h>

int main(void) {
    int i = 5;
    int a = i++, b = ++i, c = i--, d = --i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);
    unsigned char u = 255;
    int e = u++, f = u;
    printf("%d %d\n", e, f);
    e = --u;
    printf("%d\n", e);
    signed char s = 127;
    e = ++s;
    printf("%d\n", e);
    e = s--;
    printf("%d %d\n", e, s);
    _Bool t = 0;
    t++;
    t++;
    printf("%d\n", t);
    t--;
    printf("%d ", t);
    t--;
    printf("%d\n", t);
    double x = 0.5;
    double y = x++ + 1;
    printf("%.1f %.1f\n", x, y);
    return i;
}
