// A narrow unsigned bit-field becomes int, so arithmetic on it is signed.
#include <stdio.h>

struct s { unsigned a : 3; unsigned b : 31; unsigned c : 32; unsigned char d : 7; };

int main(void) {
    struct s s = {1, 1, 1, 1};
    printf("%d\n", s.a - 2 < 0);
    printf("%d\n", s.b - 2 < 0);
    printf("%d\n", s.c - 2 < 0);
    printf("%d\n", s.d - 2 < 0);
    printf("%d\n", -1 < s.a);
    printf("%d\n", -1 < s.c);
    printf("%d\n", ~s.a);
    printf("%u\n", ~s.c);
    printf("%d\n", (s.a = 7) + 1);
    printf("%d\n", s.a << 29 < 0);
    return s.a + s.b;
}
