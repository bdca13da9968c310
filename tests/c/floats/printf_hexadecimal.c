// %a shows the bits.
#include <stdio.h>

int main(void) {
    printf("%a %a %a\n", 1.0, 0.5, -2.75);
    printf("%a %.1a %A\n", 0.1, 1.96875, 255.0);
    printf("%a\n", 0x1.8p3);
    double d = 0x.8p1 + 0x1p-2;
    printf("%.2f\n", d);
    return (int)(0x1p6);
}
