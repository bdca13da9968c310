// Left shifts: the type is that of the promoted left side.
#include <stdio.h>

int main(void) {
    unsigned char c = 0x81;
    printf("%d\n", c << 1);
    printf("%d\n", (unsigned char)(c << 1));
    printf("%d\n", 1 << 31);
    printf("%u\n", 1u << 31);
    printf("%lld\n", 1LL << 40);
    printf("%d\n", 1 << 4LL);
    printf("%zu %zu\n", sizeof(1 << 4LL), sizeof((char)1 << 2));
    int n = -3;
    printf("%d\n", n << 4);
    printf("%d\n", (signed char)-1 << 8);
    printf("%llu\n", (unsigned long long)n << 60);
    unsigned u = 0xffffffffu;
    for (int i = 0; i < 32; i += 7)
        printf("%x ", u << i);
    printf("\n");
    c <<= 7;
    return c & 127;
}
