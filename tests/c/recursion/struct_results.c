// A recursive function that returns a struct.
#include <stdio.h>

struct bounds { int low, high, depth; };

static struct bounds scan(const int *a, int n) {
    if (n == 1)
        return (struct bounds){*a, *a, 1};
    struct bounds l = scan(a, n / 2), r = scan(a + n / 2, n - n / 2);
    return (struct bounds){l.low < r.low ? l.low : r.low, l.high > r.high ? l.high : r.high,
                           1 + (l.depth > r.depth ? l.depth : r.depth)};
}

int main(void) {
    int a[] = {4, -7, 19, 3, 88, 0, -2, 5, 6};
    struct bounds b = scan(a, 9);
    printf("%d %d %d\n", b.low, b.high, b.depth);
    return scan(a, 3).high;
}
