// fails: invalid-free 7
// gcc: SEGV
#include <stdlib.h>

int main(void) {
    char *s = "literal";
    free(s);
    return 0;
}
