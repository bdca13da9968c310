// ## joins tokens and does not expand its operands.
#include <stdio.h>

#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define ONE 1
#define FIELD(t, n) t t##_##n
#define NUMBER(x) 0x##x##u

int main(void) {
    int x1 = 10, xONE = 20;
    printf("%d %d\n", CAT(x, ONE), XCAT(x, ONE));
    FIELD(int, a) = 5;
    printf("%d\n", int_a);
    printf("%u %d\n", NUMBER(ff), CAT(4, 2));
    printf("%d\n", 7 CAT(!, =) 0 ? 1 : 0);
    int y = 8;
    y CAT(+, =) 2;
    y CAT(<, <=) 1;
    printf("%d\n", y);
    return CAT(, 3) + CAT(4, );
}
