// Arguments may be empty.
#include <stdio.h>

#define ADD(a, b) (0 a + 0 b)
#define WRAP(x) [x]
#define PAIR(x, y) x ## y
#define CALL(f, ...) f(__VA_ARGS__)

static int none(void) { return 11; }
static int two(int a, int b) { return a * b; }

int main(void) {
    printf("%d\n", ADD(, ) + ADD(+1, ) + ADD(, +2));
    int a WRAP(3) = {1, 2, 3}, c WRAP() = {4, 5};
    printf("%d %zu\n", a[2], sizeof c / sizeof *c);
    int PAIR(, z) = PAIR(7, );
    printf("%d\n", z);
    printf("%d %d\n", CALL(none), CALL(two, 3, 4));
    return z;
}
