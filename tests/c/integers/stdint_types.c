// Types and limits of <stdint.h>, with their macros for constants.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t a = INT8_MIN;
    uint8_t b = UINT8_MAX;
    int16_t c = INT16_MIN;
    uint16_t d = UINT16_MAX;
    int32_t e = INT32_MIN;
    uint32_t f = UINT32_MAX;
    int64_t g = INT64_MIN;
    uint64_t h = UINT64_MAX;
    printf("%d %d %d %d %d %u\n", a, b, c, d, e, f);
    printf("%lld %llu\n", (long long)g, (unsigned long long)h);
    a--, b++, c--, d++, e--, f++, g--, h++;
    printf("%d %d %d %d %d %u\n", a, b, c, d, e, f);
    printf("%lld %llu\n", (long long)g, (unsigned long long)h);
    printf("%d %d\n", sizeof(UINT64_C(1)) == 8, UINT8_C(200) + 100);
    printf("%d\n", (int)sizeof(uintmax_t));
    return INT8_MAX;
}
