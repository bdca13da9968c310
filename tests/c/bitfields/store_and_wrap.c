// A store keeps the low bits and leaves the neighbours alone.
#include <stdio.h>

struct s { unsigned a : 3, b : 5, c : 1; unsigned d : 23; };

int main(void) {
    struct s s = {0};
    s.a = 13;
    s.b = 255;
    s.c = 2;
    s.d = 0x1234567;
    printf("%u %u %u %x\n", s.a, s.b, s.c, s.d);
    s.a++;
    s.b += 2;
    s.c ^= 1;
    s.d <<= 4;
    printf("%u %u %u %x\n", s.a, s.b, s.c, s.d);
    s.a -= 7;
    s.b--;
    printf("%u %u %u %x\n", s.a, s.b, s.c, s.d);
    return s.a * 10 + s.b;
}
