// fails: invalid-access 9
// gcc: heap-use-after-free
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p), *q = p;
    *p = 5;
    free(p);
    return *q;
}
