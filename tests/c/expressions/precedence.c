// Operators bind as the grammar says, also where people guess wrong.
#include <stdio.h>

int main(void) {
    int a = 6, b = 3, c = 5;
    printf("%d\n", a & b == 3);
    printf("%d\n", (a & b) == 3);
    printf("%d\n", 1 << 2 + 1);
    printf("%d\n", a ^ b | c & 4);
    printf("%d\n", a - b - c);
    printf("%d\n", a = b = c);
    printf("%d\n", !a == 0);
    printf("%d\n", -a * -b % 7);
    printf("%d\n", ~a + 1);
    printf("%d\n", 1 < 2 < 3);
    printf("%d\n", 3 > 2 > 1);
    printf("%d\n", 0 || 1 && 0);
    printf("%d\n", 1 ? 2 : 0 ? 3 : 4);
    return (a + b * c) & 127;
}
