// + - ~ ! promote their operand.
#include <stdio.h>

int main(void) {
    unsigned char c = 1;
    signed char s = -128;
    unsigned u = 1;
    printf("%d\n", -c);
    printf("%d\n", ~c);
    printf("%d\n", -s);
    printf("%zu\n", sizeof(+c));
    printf("%u\n", -u);
    printf("%u\n", ~u);
    printf("%d\n", -u < 0);
    printf("%d %d\n", !c, !!s);
    printf("%d\n", - -5);
    printf("%d\n", ~-5);
    printf("%d\n", -~5);
    unsigned short h = 0xffff;
    printf("%d\n", ~h);
    printf("%lld\n", -(long long)u);
    printf("%lld\n", (long long)-u);
    return -s & 127 | 3;
}
