// The condition of a while runs once more than its body.
#include <stdio.h>

int main(void) {
    int i = 0, n = 0;
    while (i++ < 5)
        n += i;
    printf("%d %d\n", i, n);
    while (--i)
        if (i == 3)
            break;
    printf("%d\n", i);
    while (0)
        i = 100;
    int j = 10;
    while (j-- > 0 && j != 4)
        ;
    printf("%d %d\n", i, j);
    const char *s = "loop", *e = s;
    while (*e++)
        ;
    printf("%d\n", (int)(e - s));
    return n + i;
}
