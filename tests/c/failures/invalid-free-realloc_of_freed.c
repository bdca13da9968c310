// fails: invalid-free 8
// gcc: double-free
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    free(p);
    p = realloc(p, 8);
    return p == 0;
}
