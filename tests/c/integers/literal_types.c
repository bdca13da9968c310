// The type of a constant depends on its base, suffix and value.
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
                         long long: "long long", unsigned long long: "unsigned long long")

int main(void) {
    printf("%s\n", KIND(2147483647));
    printf("%s\n", KIND(0x7fffffff));
    printf("%s\n", KIND(0x80000000));
    printf("%s\n", KIND(0xffffffff));
    printf("%s\n", KIND(037777777777));
    printf("%s\n", KIND(1u));
    printf("%s\n", KIND(1L));
    printf("%s\n", KIND(1lu));
    printf("%s\n", KIND(1LL));
    printf("%s\n", KIND(1uLL));
    printf("%s\n", KIND('a'));
    printf("%s\n", KIND(0b101));
    printf("%s\n", KIND(-1));
    printf("%d %d %d %d\n", 010, 0x1F, 0b1101, 00);
    printf("%d\n", -2147483648 < 0);
    printf("%d\n", -0x80000000 > 0);
    return 0x7f;
}
