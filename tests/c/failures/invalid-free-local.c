// fails: invalid-free 9
// gcc: attempting free
#include <stdlib.h>

int main(void) {
    int x = 0, *p = 0;
    free(p);
    p = &x;
    free(p);
    return 0;
}
