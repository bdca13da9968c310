// model: LP64
// float arithmetic rounds to float after every operation.
#include <stdio.h>

int main(void) {
    float a = 0.1f, b = 0.2f, s = 0;
    printf("%.9g %.9g\n", a + b, a * b);
    printf("%d %d\n", a + b == 0.3f, (double)a == 0.1);
    for (int i = 0; i < 1000; i++)
        s += 0.1f;
    printf("%.9g\n", s);
    float big = 16777216.0f;
    printf("%d\n", big + 1 == big);
    float third = 1.0f / 3;
    printf("%.9g %.17g\n", third, (double)third);
    double mixed = a + 0.2;
    printf("%.17g\n", mixed);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(a + 1.0), sizeof(a * 2));
    return (int)s;
}
