// Length modifiers cut and widen.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%lld %llu %llx\n", -1LL, ~0ULL, 1ULL << 63);
    printf("%ld %lu %lx\n", -5L, 5UL, 255UL);
    printf("%zu %zd %td\n", sizeof(int), (ptrdiff_t)-3, (ptrdiff_t)4);
    printf("%jd %ju\n", (intmax_t)-1, (uintmax_t)1 << 40);
    printf("%" PRId64 " %" PRIu32 " %" PRIx8 " %" PRIi16 "\n", (int64_t)-7, (uint32_t)7, (uint8_t)0xab, (int16_t)-9);
    printf("%hhx %hx\n", 0xabc, 0xabcde);
    return printf("%5lld|%-5lldx\n", 12LL, 34LL);
}
