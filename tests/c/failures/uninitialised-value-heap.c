// fails: uninitialised-value 10
// check: uninitialised-value
// gcc: uninitialized
#include <stdlib.h>

int main(void) {
    int *a = malloc(2 * sizeof *a);
    a[0] = 1;
    int r = a[0];
    r += a[1];
    free(a);
    return r;
}
