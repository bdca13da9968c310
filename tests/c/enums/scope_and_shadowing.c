// Enumerators follow scopes and can be shadowed by variables.
#include <stdio.h>

enum { ONE = 1, TWO };

static int f(int ONE) { return ONE + TWO; }

int main(void) {
    printf("%d %d\n", ONE, f(10));
    {
        enum { TWO = 20, THREE };
        int ONE = TWO + THREE;
        printf("%d %d\n", ONE, TWO);
    }
    printf("%d\n", sizeof(enum { FOUR = 4 }) + FOUR > 4 ? FOUR : 0);
    return ONE + TWO;
}
