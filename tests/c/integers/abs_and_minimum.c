// The most negative number is its own negation.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile int min = INT_MIN;
    printf("%d\n", min == -min);
    printf("%u\n", -(unsigned)min);
    printf("%d %d\n", abs(-5), abs(INT_MIN + 1));
    printf("%lld\n", llabs(-(1LL << 40)));
    printf("%d\n", min / 2 + min / 2 == min);
    printf("%d\n", min % 10);
    printf("%d\n", min / 10);
    signed char c = -128;
    c = -c;
    printf("%d\n", c);
    return abs(min % 100);
}
