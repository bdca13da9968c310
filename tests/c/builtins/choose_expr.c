// The branch that is not chosen may have any type and is not evaluated.
#include <stdio.h>

#define SIZE(x) __builtin_choose_expr(sizeof(x) == 1, 'b', "wide")
#define ABS(x) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), double), __builtin_fabs(x), \
                                     ((x) < 0 ? -(x) : (x)))

int main(void) {
    int n = 0;
    char c = 0;
    printf("%c %s\n", SIZE(c), SIZE(n));
    printf("%d\n", __builtin_choose_expr(1, 5, n++));
    printf("%d\n", n);
    printf("%.1f %d\n", ABS(-2.5), ABS(-7));
    printf("%zu\n", sizeof __builtin_choose_expr(0, 1.0, (char)1));
    return __builtin_choose_expr(0, n, 9);
}
