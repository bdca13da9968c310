// model: LP64
// Numbers below the normal range.
#include <stdio.h>

int main(void) {
    double d = 1;
    int n = 0;
    while (d / 2 > 0)
        d /= 2, n++;
    printf("%d %g\n", n, d);
    float f = 1;
    n = 0;
    while (f / 2 > 0)
        f /= 2, n++;
    printf("%d %g\n", n, f);
    printf("%g %g\n", d * 3, d * 0.4);
    printf("%d\n", d > 0 && d * 0.5 == 0);
    return n & 127;
}
