// %e and %g.
#include <stdio.h>

int main(void) {
    double v[] = {0, 1, -1.5, 123456, 1234567, 0.0001, 0.00001234, 1e100, 6.02e23, 9.9999995};
    for (int i = 0; i < 10; i++)
        printf("[%e] [%.0e] [%12.2E] [%g] [%.3g] [%#g] [%G]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%g %g %g\n", 100000.0, 1000000.0, 123456789.0);
    printf("%.15g %.16g %.17g\n", 0.1, 0.1, 0.1);
    int n = printf("%g\n", 1e-5);
    return n;
}
