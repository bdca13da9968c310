// GNU ranges in array initialisers.
#include <stdio.h>

static const char class[256] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['A' ... 'Z'] = 2, ['_'] = 2};

int main(void) {
    int a[10] = {[2 ... 5] = 7, 8, [0] = 1, [4] = 9};
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    printf("%d %d %d %d\n", class['5'], class['q'], class['_'], class['-']);
    struct { int x, y; } p[4] = {[1 ... 2] = {3, 4}};
    printf("%d %d %d\n", p[0].x, p[1].y, p[2].x);
    int sum = 0;
    for (int i = 0; i < 256; i++)
        sum += class[i];
    return sum;
}
