// The comma evaluates in order and gives the last value.
#include <stdio.h>

static int next(int *p) { return ++*p; }

int main(void) {
    int n = 0;
    int r = (next(&n), next(&n), next(&n) * 10);
    printf("%d %d\n", n, r);
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--)
        r += i * j;
    printf("%d %d %d\n", i, j, r);
    int a[3] = {(1, 2), (3, 4), 5};
    printf("%d %d %d\n", a[0], a[1], a[2]);
    printf("%d\n", (a[0]++, a[0]++, a[0]));
    char c = (n = 300, n);
    printf("%d %d\n", c, n);
    return (r, 17);
}
