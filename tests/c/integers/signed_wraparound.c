// With -fwrapv signed arithmetic wraps too.
#include <limits.h>
#include <stdio.h>

int main(void) {
    volatile int max = INT_MAX, min = INT_MIN;
    printf("%d\n", max + 1);
    printf("%d\n", min - 1);
    printf("%d\n", max * max);
    printf("%d\n", min * -1);
    printf("%d\n", -min);
    printf("%d\n", max + 1 < max);
    int i = max;
    i++;
    printf("%d\n", i);
    i = min;
    i -= 5;
    printf("%d\n", i);
    volatile long long big = LLONG_MAX;
    printf("%lld\n", big + 2);
    printf("%lld\n", big * 3);
    int f = 1;
    for (int n = 1; n < 20; n++)
        f *= n;
    printf("%d\n", f);
    return f & 127;
}
