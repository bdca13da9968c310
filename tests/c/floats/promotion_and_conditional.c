// float, double and integers mixed in one expression.
#include <stdio.h>

static double average(float a, int b) { return (a + b) / 2; }

int main(void) {
    int i = 7;
    float f = 2.5f;
    double d = 0.25;
    printf("%.4f %.4f\n", i / 2 * f, i / 2.0 * f);
    printf("%.4f\n", i * f + d - 1u);
    printf("%.4f\n", 1 ? i : d);
    printf("%.4f\n", average(1, 2));
    i += d * 10;
    i *= f;
    printf("%d\n", i);
    f += i / 4;
    printf("%.2f\n", f);
    char c = 'a';
    c += 1.9;
    printf("%c\n", c);
    d = f = i = 3.9;
    printf("%.1f\n", d);
    return i;
}
