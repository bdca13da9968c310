// Counting an unsigned number down to zero, and past it.
#include <stdio.h>

int main(void) {
    int n = 0;
    for (unsigned i = 5; i-- > 0;)
        n = n * 10 + (int)i;
    printf("%d\n", n);
    unsigned char c = 250;
    n = 0;
    while (c >= 10) {
        c += 2;
        n++;
    }
    printf("%d %d\n", n, c);
    n = 0;
    for (unsigned char k = 1; k; k *= 3) {
        n++;
        if (n > 300)
            break;
    }
    printf("%d\n", n);
    n = 0;
    for (signed char s = 1; s > 0; s++)
        n++;
    printf("%d\n", n);
    return n;
}
