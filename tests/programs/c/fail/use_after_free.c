// loupe: run => error invalid-access 8:12
#include <stdlib.h>

int main(void) {
    int *p = malloc(3 * sizeof *p);
    p[0] = 1;
    free(p);
    return p[0];
}
