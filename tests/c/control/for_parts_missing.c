// All parts of a for may be left out.
#include <stdio.h>

int main(void) {
    int i = 0, n = 0;
    for (;;)
        if (i++ == 4)
            break;
    printf("%d\n", i);
    for (; i < 8;)
        i += 2;
    printf("%d\n", i);
    for (int k = 0;; k++) {
        if (k % 2)
            continue;
        n += k;
        if (k > 6)
            break;
    }
    printf("%d\n", n);
    for (i = 3; i--;)
        n += i;
    printf("%d %d\n", i, n);
    return n;
}
