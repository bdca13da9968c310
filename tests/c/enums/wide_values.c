// GNU C widens an enum whose values do not fit in int.
#include <stdio.h>

enum wide { SMALL = 1, HUGE_VALUE = 0x123456789aLL };
enum full { ZERO, TOP = 0xffffffffu };

int main(void) {
    enum wide w = HUGE_VALUE;
    printf("%zu %llx\n", sizeof w, (unsigned long long)w);
    enum full f = TOP;
    printf("%zu %d\n", sizeof f, f > 0);
    f++;
    printf("%d\n", f == ZERO);
    w -= HUGE_VALUE - 5;
    return (int)w;
}
