// fails: invalid-free 8
// gcc: attempting free
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    p++;
    free(p);
    return 0;
}
