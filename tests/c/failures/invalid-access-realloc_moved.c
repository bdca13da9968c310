// fails: invalid-access 10
// gcc: heap-use-after-free
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a), *old = a;
    *a = 1;
    a = realloc(a, 100000 * sizeof *a);
    a[1] = 2;
    return *old + a[1];
}
