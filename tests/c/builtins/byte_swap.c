// Bytes in the reverse order.
#include <stdio.h>

int main(void) {
    printf("%x\n", __builtin_bswap16(0x1234));
    printf("%x\n", __builtin_bswap32(0x12345678));
    printf("%llx\n", (unsigned long long)__builtin_bswap64(0x123456789abcdef0ULL));
    printf("%d\n", __builtin_bswap16(0x80ff) == 0xff80);
    int n = -2;
    printf("%d\n", (int)__builtin_bswap32((unsigned)n));
    return __builtin_bswap32(0x42000000);
}
