// Anything that is not zero becomes 1 in a _Bool.
#include <stdio.h>

int main(void) {
    int x = 0;
    _Bool b[] = {2, 0.5, -0.0, 1e-300, 0x100000000LL, 0, (_Bool)&x, (_Bool)(char *)0};
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        printf("%d", b[i]);
        sum = sum * 2 + b[i];
    }
    printf("\n");
    _Bool t = 1, f = 0;
    printf("%d %d %d %d\n", t + t, t & 2, ~t, -t);
    printf("%d %d\n", t > f, (t ^ t) | f);
    t <<= 3;
    printf("%d %zu\n", t, sizeof t);
    t = t + t == 2;
    f = !t;
    printf("%d %d\n", t, f);
    return sum & 127;
}
