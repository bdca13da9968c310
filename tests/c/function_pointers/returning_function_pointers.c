// Functions that return functions.
#include <stdio.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

static int (*pick(int n))(void) { return n % 2 ? one : two; }
typedef int (*thunk)(void);
static thunk pick_again(thunk f) { return f == one ? two : one; }
static thunk (*chooser(void))(thunk) { return pick_again; }

int main(void) {
    printf("%d %d\n", pick(3)(), pick(4)());
    printf("%d\n", pick_again(pick(1))());
    printf("%d\n", chooser()(two)());
    int (*(*f)(int))(void) = pick;
    return f(8)() * 10 + (*(*f)(9))();
}
