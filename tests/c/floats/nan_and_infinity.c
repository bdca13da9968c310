// NaN compares unequal to everything, infinity absorbs.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    double inf = 1 / zero, nan = zero / zero;
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan >= 1, !nan, nan ? 1 : 0);
    printf("%d %d %d\n", inf > 1e308, -inf < 0, inf == inf + 1);
    printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isnan(inf - inf) != 0);
    printf("%f %F %e %g\n", inf, -inf, inf, inf);
    printf("%d\n", 1 / inf == 0);
    printf("%d\n", 1 / (-1 / inf) < 0);
    printf("%d %d\n", isfinite(1.0) != 0, isfinite(inf) != 0);
    double big = 1e308;
    printf("%d\n", big * 10 == inf);
    printf("%f\n", fabs(nan) != fabs(nan) ? 1.0 : 0.0);
    return (nan < nan) + (inf > 0) * 2;
}
