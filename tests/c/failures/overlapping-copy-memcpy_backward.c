// fails: overlapping-copy 11
// gcc: memcpy-param-overlap
#include <string.h>

int main(void) {
    int a[6] = {1, 2, 3, 4, 5, 6};
    unsigned n = 2;
    memmove(a, a + 1, 5 * sizeof *a);
    memcpy(a, a + n, n * sizeof *a);
    n++;
    memcpy(a, a + 2, n * sizeof *a);
    return a[0];
}
