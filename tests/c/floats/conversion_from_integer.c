// Large integers are rounded to the nearest double or float, ties to even.
#include <stdio.h>

int main(void) {
    long long a = (1LL << 53) + 1;
    unsigned long long b = ~0ULL;
    printf("%.1f %.1f\n", (double)a, (double)(a + 2));
    printf("%.1f\n", (double)b);
    printf("%.1f %.1f\n", (double)-a, (double)(long long)b);
    printf("%.1f %.1f\n", (float)16777217, (float)16777219);
    printf("%.1f\n", (float)4294967295u);
    printf("%.1f\n", (double)(unsigned)-1);
    float f = 123456789;
    printf("%.1f\n", f);
    printf("%d\n", (double)a == a);
    return (double)(signed char)200 < 0;
}
