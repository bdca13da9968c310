// Conversion cuts toward zero.
#include <stdio.h>

int main(void) {
    double v[] = {0.99, -0.99, 1.5, -1.5, 2147483647.5, -2147483648.9, 1e-10, 12345.678};
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        printf("%d ", (int)v[i]);
        sum ^= (int)v[i];
    }
    printf("\n");
    printf("%u %u\n", (unsigned)4294967295.0, (unsigned)3e9);
    printf("%lld\n", (long long)-9.2e18);
    printf("%llu %llu\n", (unsigned long long)1.8e19, (unsigned long long)9223372036854775808.0);
    printf("%d %d\n", (signed char)-100.7, (unsigned char)255.9);
    printf("%d\n", (short)3.999f);
    unsigned char c = 3.99 + 1;
    return c + (sum & 63);
}
