// Division goes toward zero, the remainder has the sign of the dividend.
#include <stdio.h>

int main(void) {
    int values[] = {7, -7, 1, -1, 2147483647, -2147483647 - 1};
    int divisors[] = {2, -2, 3, -3, 10, -10, 2147483647, -2147483647 - 1};
    unsigned sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++) {
            int q = values[i] / divisors[j], r = values[i] % divisors[j];
            printf("%d/%d=%d r %d\n", values[i], divisors[j], q, r);
            sum = sum * 31 + (unsigned)(q * divisors[j] + r == values[i]);
        }
    printf("%u %u\n", (unsigned)-7 / 2, (unsigned)-7 % 5);
    printf("%lld %lld\n", -7LL / 2u, -7LL % 2u);
    return sum & 127;
}
