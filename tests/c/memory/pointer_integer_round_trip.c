// A pointer survives a trip through uintptr_t.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    uintptr_t n = (uintptr_t)&a[1];
    int *p = (int *)n;
    printf("%d\n", *p);
    n += sizeof(int);
    p = (int *)n;
    printf("%d\n", *p);
    printf("%d\n", (int)((uintptr_t)&a[3] - (uintptr_t)&a[0]));
    printf("%d\n", (uintptr_t)(void *)0 == 0);
    printf("%d\n", (n & (sizeof(int) - 1)) == 0);
    uintptr_t tagged = (uintptr_t)&a[2] | 1;
    printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));
    intptr_t i = (intptr_t)a;
    return *((int *)i + 3);
}
