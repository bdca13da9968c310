// The body of do-while runs before its condition; continue goes to the condition.
#include <stdio.h>

int main(void) {
    int i = 10, n = 0;
    do
        n++;
    while (i < 5);
    printf("%d\n", n);
    i = 0;
    do {
        i++;
        if (i == 2)
            continue;
        n += i;
        if (i == 7)
            break;
    } while (i != 2 || n < 3);
    printf("%d %d\n", i, n);
    do
        if (i++ > 12)
            break;
    while (1);
    printf("%d\n", i);
    do {
        n -= 2;
    } while (n > 0);
    return i + n + 10;
}
