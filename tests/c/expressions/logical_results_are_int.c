// && || ! and comparisons give the int 0 or 1, whatever the operands are.
#include <stdio.h>

int main(void) {
    double half = 0.5;
    long long big = 1LL << 40;
    char *text = "x";
    printf("%zu %zu %zu\n", sizeof(!half), sizeof(big && big), sizeof(big < half));
    printf("%d %d %d\n", half && big, !half, !!big);
    printf("%d %d\n", !text, text || 0);
    printf("%d\n", (big > 5) + (half < 1) + (text != 0));
    printf("%d\n", -(big == big));
    unsigned u = !0;
    return (int)(u - 2 > 0u) + 4;
}
