// fails: invalid-access 9
// gcc: heap-buffer-overflow
#include <stdlib.h>

int main(void) {
    char *a = calloc(6, 1);
    int x = *(int *)a;
    x += *(short *)(a + 4);
    x += *(int *)(a + 4);
    free(a);
    return x;
}
