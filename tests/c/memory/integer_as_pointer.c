// Small integers hidden in pointers are only compared.
#include <stdint.h>
#include <stdio.h>

#define ERROR(n) ((void *)(intptr_t)(n))

static void *find(int key) {
    static int cell = 5;
    return key == 1 ? &cell : key == 2 ? ERROR(-2) : ERROR(7);
}

int main(void) {
    printf("%d %d\n", (int)(intptr_t)find(2), (int)(intptr_t)find(3));
    printf("%d %d\n", find(2) == ERROR(-2), find(1) == ERROR(-2));
    printf("%d\n", *(int *)find(1));
    char *p = (char *)8;
    p += 4;
    printf("%d %d\n", (int)(intptr_t)p, (int)(p - (char *)2));
    return (int)(intptr_t)find(9);
}
