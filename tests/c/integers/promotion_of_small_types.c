// Small types become int before anything is computed.
#include <stdio.h>

int main(void) {
    unsigned char a = 200, b = 100;
    printf("%d %d %d\n", a + b, b - a, a * b);
    printf("%d\n", (a + b) / 2);
    unsigned char avg = (a + b) / 2;
    printf("%d\n", avg);
    printf("%d\n", (unsigned char)(a + b) / 2);
    printf("%d\n", ~a >> 4);
    printf("%d\n", (unsigned char)~a >> 4);
    unsigned short s = 65535;
    printf("%d\n", s * s);
    printf("%d\n", s + 1 > 0);
    signed char c = -1;
    printf("%d %d\n", c == 255, c == -1);
    printf("%d %d\n", (unsigned char)c == 255, (unsigned)c == 0xffffffffu);
    printf("%d\n", a == (signed char)a);
    return (a - b) & 127;
}
