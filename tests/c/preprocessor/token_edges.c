// Tokens are cut greedily, macros never glue them.
#include <stdio.h>

#define MINUS -
#define PLUS(x) +x
#define E 2

int main(void) {
    int a = 5, b = 3;
    printf("%d\n", a+++b);
    printf("%d\n", a - -b);
    printf("%d\n", a MINUS-b);
    printf("%d\n", +PLUS(+b));
    printf("%d\n", -MINUS b);
    printf("%d\n", a-- -b);
    int *p = &b;
    printf("%d\n", a/ *p);
    printf("%d %d\n", 0xe +1, 1-E);
    printf("%d\n", a<<1>>1>b);
    return a/*comment*/+/**/b;
}
