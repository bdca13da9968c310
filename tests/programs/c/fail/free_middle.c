// loupe: run => error invalid-free 5:5
#include <stdlib.h>
int main(void) {
    char *p = malloc(16);
    free(p + 4);
}
