// fails: invalid-access 8
// gcc: heap-buffer-overflow
#include <stdlib.h>

int main(void) {
    int *a = malloc(5 * sizeof *a);
    for (int i = 0; i <= 5; i++)
        a[i] = i;
    free(a);
    return 0;
}
