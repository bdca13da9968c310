// Constant expressions are computed in the types of their parts.
#include <stdio.h>

enum { SHIFTED = 1 << 30, MINUS = -1, LESS = -1 < 1u };
static unsigned long long product = 100000ULL * 100000;
static unsigned cut = (unsigned)(100000ULL * 100000);
static int parts[(sizeof(int) * 2 == 8) + 3];
static int negative = -7 / 2 * 10 + -7 % 2;
static unsigned char small = (unsigned char)(200 + 100);
static int choice = 2 > 1 ? 0 ? 5 : 6 : 7;

int main(void) {
    printf("%d %d %d\n", SHIFTED, MINUS, LESS);
    printf("%llu %u\n", product, cut);
    printf("%zu\n", sizeof parts / sizeof *parts);
    printf("%d %d %d\n", negative, small, choice);
    switch (6) {
    case 2 * 3: printf("case\n");
    }
    return (int)(sizeof parts);
}
