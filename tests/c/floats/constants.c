// Forms of floating constants and the limits of the types.
#include <float.h>
#include <stdio.h>

int main(void) {
    printf("%g %g %g %g %g\n", 1., .5, 1e3, 1.5E-3, 0x10p-1);
    printf("%zu %zu\n", sizeof 1.0f, sizeof 1.0);
    printf("%.9g %.9g %.9g\n", FLT_MAX, FLT_MIN, FLT_EPSILON);
    printf("%.17g %.17g %.17g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%d %d %d %d\n", FLT_DIG, DBL_DIG, FLT_MANT_DIG, DBL_MANT_DIG);
    printf("%.17g\n", 5e-324);
    printf("%d\n", 1.0 + DBL_EPSILON > 1.0 && 1.0 + DBL_EPSILON / 2 == 1.0);
    return FLT_RADIX;
}
