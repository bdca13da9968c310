// model: LP64
// Constants that need 64 bits are long where long has them.
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
                         long long: "long long", unsigned long long: "unsigned long long")

int main(void) {
    printf("%s\n", KIND(2147483648));
    printf("%s\n", KIND(0x100000000));
    printf("%s\n", KIND(0x8000000000000000));
    printf("%s\n", KIND(4294967296u));
    printf("%s\n", KIND(sizeof(int)));
    printf("%s\n", KIND((char *)8 - (char *)4));
    printf("%s\n", KIND(1L + 1u));
    printf("%s\n", KIND(1LL + 1ul));
    printf("%zu %zu %zu\n", sizeof(long), sizeof(void *), sizeof(long double));
    printf("%d\n", -1L < 1u);
    printf("%ld\n", 1L << 40);
    printf("%lu\n", ~0ul);
    return sizeof(long);
}
