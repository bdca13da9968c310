// Infinities, NaN and signs from builtins.
#include <stdio.h>

int main(void) {
    double inf = __builtin_inf(), nan = __builtin_nan("");
    printf("%d %d %d\n", __builtin_isinf(inf) != 0, __builtin_isnan(nan) != 0, __builtin_isfinite(1.0) != 0);
    printf("%d %d\n", __builtin_isgreater(2.0, 1.0), __builtin_isunordered(nan, 1.0));
    printf("%d %d\n", __builtin_isless(nan, 1.0), __builtin_islessgreater(1.0, 2.0));
    printf("%d\n", __builtin_signbit(-1.0) != 0);
    printf("%f %f\n", __builtin_fabs(-2.5), __builtin_copysign(1.0, -0.0));
    printf("%f\n", (double)__builtin_huge_valf());
    return __builtin_isnormal(1.0) != 0;
}
