// %f with all its flags.
#include <stdio.h>

int main(void) {
    double v[] = {0, -0.0, 1, -1.5, 3.14159265358979, 1234567.891, 0.0005, 999999.9999995, 1e20};
    for (int i = 0; i < 9; i++)
        printf("[%f] [%.0f] [%.2f] [%10.3f] [%-10.1f] [%+.1f] [% .1f] [%08.2f] [%#.0f]\n", v[i], v[i], v[i], v[i],
               v[i], v[i], v[i], v[i], v[i]);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, -0.5);
    printf("%.10f %.20f\n", 0.1, 0.1);
    int n = printf("%*.*f\n", 8, 2, 2.345);
    return n;
}
