// Counting with floating numbers.
#include <stdio.h>

int main(void) {
    int n = 0;
    for (double x = 0; x < 1; x += 0.125)
        n++;
    printf("%d\n", n);
    n = 0;
    for (double x = 0; x < 1; x += 0.1)
        n++;
    printf("%d\n", n);
    double x = 100;
    n = 0;
    while (x-- > 0.5)
        n++;
    printf("%d %.1f\n", n, x);
    return n;
}
