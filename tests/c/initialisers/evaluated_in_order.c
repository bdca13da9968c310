// Locals are initialised when control reaches them, each from the ones before.
#include <stdio.h>

static int n;

static int next(void) { return ++n; }

int main(void) {
    int a = next(), b = a * 10 + next(), c[3] = {b, a + b};
    struct { int x, y; } s = {c[1], a};
    printf("%d %d %d %d %d\n", a, b, c[1], c[2], s.x);
    for (int i = 0; i < 3; i++) {
        int fresh[2] = {i};
        fresh[1] += 5 + fresh[0];
        printf("%d ", fresh[1]);
    }
    printf("\n");
    int self = sizeof self;
    return self + n;
}
