// __builtin_constant_p is true for constants and picks a constant expression.
#include <stdio.h>

static int table[__builtin_constant_p(5) ? 4 : 9];

int main(void) {
    volatile int v = 3;
    printf("%d %d %d\n", __builtin_constant_p(1 + 2), __builtin_constant_p("text"), __builtin_constant_p(v));
    printf("%zu\n", sizeof table / sizeof *table);
    int i = 0;
    printf("%d\n", __builtin_constant_p(i++));
    printf("%d\n", i);
    return __builtin_constant_p(2.5) ? 6 : 7;
}
