// A bit-field of type _Bool holds whether the value is not zero.
#include <stdio.h>

struct s { _Bool a : 1, b : 1, c; unsigned d : 1; };

int main(void) {
    struct s s = {2, 0, 4, 2};
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    s.b = 0.5;
    s.a++;
    printf("%d %d\n", s.a, s.b);
    s.a--;
    printf("%d ", s.a);
    s.a--;
    printf("%d\n", s.a);
    s.a = !s.a;
    s.b = s.a == s.b;
    printf("%d %d\n", s.a, s.b);
    return s.a + 2 * s.b + 4 * s.c;
}
