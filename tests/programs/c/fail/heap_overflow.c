// loupe: run => error invalid-access 6:9
#include <stdlib.h>

static void fill(int *to, int count) {
    for (int i = 0; i <= count; i++)
        to[i] = i;
}

int main(void) {
    int *p = malloc(5 * sizeof(int));
    fill(p, 5);
    free(p);
    return 0;
}
