// Calls as arguments of calls.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int twice(int a) { return add(a, a); }

int main(void) {
    int r = add(twice(add(1, 2)), add(twice(twice(3)), add(add(4, 5), 6)));
    printf("%d\n", r);
    printf("%d\n", twice(twice(twice(twice(r)))));
    return r;
}
