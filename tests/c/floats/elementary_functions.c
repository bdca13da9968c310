// Values of elementary functions that every library rounds alike at this precision.
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%.6f %.6f %.6f\n", sin(1), cos(1), tan(1));
    printf("%.6f %.6f %.6f\n", exp(1), log(10), log2(8));
    printf("%.6f %.6f\n", pow(2, 0.5), pow(-2, 3));
    printf("%.6f %.6f\n", atan2(1, -1), hypot(3, 4));
    printf("%.6f %.6f\n", log10(1000), cbrt(27));
    int e;
    double m = frexp(48, &e);
    printf("%.4f %d %.1f\n", m, e, ldexp(0.75, 6));
    double whole, part = modf(-3.25, &whole);
    printf("%.2f %.2f\n", whole, part);
    return (int)pow(2, 6);
}
