// Text to double.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    printf("%.3f ", strtod("  3.125abc", &end));
    printf("%s\n", end);
    printf("%.3f %.3f\n", atof("-0.5e1"), strtod("1e-2", 0));
    printf("%.1f ", strtod("0x1.8p1z", &end));
    printf("%s\n", end);
    printf("%f %f\n", strtod("inf", 0), strtod("-INFINITY", 0));
    const char *bad = "x1";
    printf("%.1f ", strtod(bad, &end));
    printf("%d\n", end == bad);
    return (int)strtod("12.9", 0);
}
