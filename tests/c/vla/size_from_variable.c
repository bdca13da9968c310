// The size is taken when the declaration is reached.
#include <stdio.h>

static int sum(int n) {
    int a[n];
    n = 1000;
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
        a[i] = (int)i * 3;
    int s = 0;
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
        s += a[i];
    return s + (int)sizeof a;
}

int main(void) {
    printf("%d %d %d\n", sum(1), sum(5), sum(10));
    return sum(4);
}
