// Functions without value, returning expressions of type void.
#include <stdio.h>

static int n;

static void add(int k) { n += k; }
static void forward(int k) { return add(k); }
static void maybe(int k) {
    if (k)
        return (void)(n *= 2);
    n--;
}

int main(void) {
    add(3);
    forward(4);
    maybe(1);
    maybe(0);
    (n > 5 ? add : forward)(10);
    printf("%d\n", n);
    return n;
}
