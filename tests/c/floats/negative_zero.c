// The sign of zero shows in divisions and prints.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double z = 0.0, n = -0.0;
    printf("%.1f %.1f\n", z, n);
    printf("%d %d\n", z == n, 1 / z == 1 / n);
    printf("%.1f %.1f\n", -z, 0 - z);
    printf("%.1f %.1f\n", n + n, n - n);
    printf("%.1f\n", n * 5);
    printf("%d %d\n", signbit(n) != 0, signbit(z) != 0);
    printf("%.1f\n", copysign(3, n));
    return z == n;
}
