// Negative indices and differences.
#include <stdio.h>

int main(void) {
    short a[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    short *mid = a + 4;
    int sum = 0;
    for (int i = -4; i <= 4; i++)
        sum = sum * 2 + mid[i];
    printf("%d\n", sum);
    printf("%d %d\n", (int)(a - mid), (int)(&mid[-4] - a));
    long long back = -3;
    printf("%d\n", mid[back]);
    printf("%d\n", *(mid - -2));
    return (int)(mid - a) * -1 + 10;
}
