// Pointers move in steps of what they point to.
#include <stdio.h>

struct three { char c[3]; };

int main(void) {
    int a[10];
    struct three t[4];
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    int *p = a + 2, *q = &a[9];
    printf("%d %d\n", (int)(q - p), (int)(p - q));
    printf("%d %d %d\n", p[3], *(q - 4), p[-1]);
    printf("%d\n", 1[p] + (-2)[q]);
    p += 3;
    p -= 1;
    printf("%d\n", *p);
    printf("%d\n", (int)((char *)&t[3] - (char *)&t[1]));
    printf("%d\n", (int)(&t[3] - t));
    signed char back = -2;
    printf("%d\n", *(q + back));
    unsigned char forth = 2;
    printf("%d\n", *(p + forth));
    return (int)(q - a);
}
