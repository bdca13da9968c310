// Sums, products and quotients of doubles, all digits.
#include <stdio.h>

int main(void) {
    double a = 0.1, b = 0.2, c = 1e300;
    printf("%.17g %.17g\n", a + b, a * b);
    printf("%.17g %.17g\n", a / b, a - 1);
    printf("%.17g\n", c * 1e-300);
    printf("%d %d\n", a + b == 0.3, 0.5 + 0.25 == 0.75);
    double s = 0;
    for (int i = 1; i <= 100; i++)
        s += 1.0 / i;
    printf("%.17g\n", s);
    printf("%.17g\n", -a);
    double x = 2;
    for (int i = 0; i < 6; i++)
        x = (x + 2 / x) / 2;
    printf("%.17g\n", x);
    return (int)(s * 10);
}
