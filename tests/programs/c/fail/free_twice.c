// loupe: run => error invalid-free 6:5
#include <stdlib.h>
int main(void) {
    void *p = malloc(16);
    free(p);
    free(p);
}
