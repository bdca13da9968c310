// loupe: run => error invalid-access 6:5
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    text[-3] = 'x';
    return 0;
}
