// memmove copes with overlap in both directions.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "0123456789";
    memmove(a + 2, a, 5);
    printf("%s\n", a);
    memmove(a, a + 3, 6);
    printf("%s\n", a);
    memmove(a, a, 10);
    printf("%s\n", a);
    int b[6] = {1, 2, 3, 4, 5, 6};
    memmove(b + 1, b, 5 * sizeof *b);
    printf("%d %d %d\n", b[0], b[1], b[5]);
    memmove(b, b + 2, 4 * sizeof *b);
    return b[0] * 10 + b[3];
}
