// Signed bit-fields extend their sign.
#include <stdio.h>

struct s { signed a : 3; int b : 1; signed char c : 5; long long d : 40; short e : 16; };

int main(void) {
    struct s s = {3, 1, 15, 0x7fffffffff, -1};
    printf("%d %d %d %lld %d\n", s.a, s.b, s.c, (long long)s.d, s.e);
    s.a++;
    s.b = 0;
    s.c++;
    s.d++;
    s.e--;
    printf("%d %d %d %lld %d\n", s.a, s.b, s.c, (long long)s.d, s.e);
    s.a = 7;
    s.c >>= 2;
    printf("%d %d\n", s.a, s.c);
    printf("%d %d\n", s.a == 7, s.a == -1);
    return -s.c;
}
