// A jump into a block makes its variables live, but skips their initialisers.
#include <stdio.h>

int main(void) {
    int n = 0;
    goto inside;
    {
        int x = 5;
        n = 1000;
    inside:
        x = 7;
        n += x;
    }
    printf("%d\n", n);
    if (n > 100) {
    middle:
        n *= 2;
    } else if (n < 50) {
        goto middle;
    }
    printf("%d\n", n);
    return n;
}
