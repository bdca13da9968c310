// Blocks are separate and keep what was written.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(10 * sizeof *a), *b = malloc(sizeof(int[10]));
    for (int i = 0; i < 10; i++)
        a[i] = i, b[i] = -i;
    printf("%d %d %d\n", a[9], b[9], a != b);
    free(a);
    int *c = calloc(5, sizeof *c);
    printf("%d %d\n", c[0], c[4]);
    c[2] = b[3];
    free(b);
    int r = c[2] + 10;
    free(c);
    free(NULL);
    void *z = malloc(0);
    free(z);
    return r;
}
