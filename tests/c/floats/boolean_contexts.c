// Floats as conditions.
#include <stdio.h>

int main(void) {
    double values[] = {0, -0.0, 0.5, -1, 1e-320};
    int n = 0;
    for (int i = 0; i < 5; i++) {
        if (values[i])
            n += 1 << i;
        n += !values[i] ? 100 : 0;
        n += values[i] && 1;
    }
    printf("%d\n", n);
    double x = 3;
    while (x)
        x--, n++;
    printf("%d %d\n", n, 0.0 || 0.1f);
    return n & 127;
}
