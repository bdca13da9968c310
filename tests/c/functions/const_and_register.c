// Qualifiers and storage classes of parameters and locals.
#include <stdio.h>

static int f(register int a, const int b, volatile int c, int *restrict d) {
    register int i;
    auto int s = 0;
    for (i = 0; i < b; i++)
        s += a * c;
    *d = s;
    c++;
    return c;
}

int main(void) {
    int out = 0;
    const volatile int k = 3;
    int r = f(2, k, 5, &out);
    printf("%d %d\n", r, out);
    return r + out;
}
