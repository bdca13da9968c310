// Reading floating numbers.
#include <stdio.h>

int main(void) {
    float f;
    double d, e;
    int n = sscanf("1.5 -2.25e2 .5", "%f %lf %lf", &f, &d, &e);
    printf("%d %.3f %.3f %.3f\n", n, f, d, e);
    n = sscanf("3.14abc", "%lf", &d);
    printf("%d %.2f\n", n, d);
    n = sscanf("inf", "%lf", &d);
    printf("%d %f\n", n, d);
    n = sscanf("abc", "%lf", &d);
    return n + 5;
}
