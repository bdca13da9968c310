// floor, ceil, trunc, round, fabs, fmod and sqrt.
#include <math.h>
#include <stdio.h>

int main(void) {
    double v[] = {2.5, -2.5, 0.49, -0.49, 7, 1e17, -3.5};
    for (int i = 0; i < 7; i++)
        printf("%.1f %.1f %.1f %.1f %.1f\n", floor(v[i]), ceil(v[i]), trunc(v[i]), round(v[i]), fabs(v[i]));
    printf("%.4f %.4f %.4f\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(7.5, -2));
    printf("%.17g %.17g\n", sqrt(2), sqrt(1e-10));
    printf("%.3f %.3f\n", fmax(1, 2), fmin(-1, 1));
    return (int)sqrt(144.5);
}
