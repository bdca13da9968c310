// Deep nesting with little arithmetic.
#include <stdio.h>

static int calls;

static int ackermann(int m, int n) {
    calls++;
    if (!m)
        return n + 1;
    if (!n)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int r = ackermann(2, 6);
    printf("%d %d\n", r, calls);
    return r;
}
