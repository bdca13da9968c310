// A macro is not expanded inside of itself.
#include <stdio.h>

static int foo = 6, a = 3, self = 1;
static int f(int x) { return x + 1; }

#define foo (4 + foo)
#define a b
#define b a
#define twice(x) (printf("%d\n", x), printf("%d\n", x))
#define f(x) f(x * 2)
#define self self_ + 1
#define self_ self

int main(void) {
    printf("%d\n", foo);
    printf("%d\n", a + a);
    twice(f(10));
    printf("%d\n", self);
    twice(twice(1));
    return f(f(2));
}
