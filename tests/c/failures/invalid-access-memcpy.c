// fails: invalid-access 9
// gcc: heap-buffer-overflow
#include <stdlib.h>
#include <string.h>

int main(void) {
    char from[16] = {0}, *to = malloc(15);
    memcpy(to, from, 15);
    memcpy(to, from, 16);
    free(to);
    return 0;
}
