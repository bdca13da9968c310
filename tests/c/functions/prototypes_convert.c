// A prototype in another scope still converts the arguments.
#include <stdio.h>

int main(void) {
    int half(double);
    unsigned char low(int);
    printf("%d\n", half(9));
    printf("%d\n", low(0x1ff));
    printf("%d\n", low(3.7));
    return half(30);
}

int half(double x) { return (int)(x / 2); }
unsigned char low(int x) { return x; }
