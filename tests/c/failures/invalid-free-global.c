// fails: invalid-free 9
// gcc: attempting free
#include <stdlib.h>

static int cells[4];

int main(void) {
    int *p = cells;
    free(p);
    return 0;
}
