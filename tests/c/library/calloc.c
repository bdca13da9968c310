// calloc is zeroed, blocks are distinct, free(NULL) is nothing.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    struct { int a; char *p; double d; } *s = calloc(4, sizeof *s);
    printf("%d %d %d\n", s[3].a, s[2].p == NULL, s[1].d == 0);
    char *blocks[10];
    int distinct = 1;
    for (int i = 0; i < 10; i++) {
        blocks[i] = malloc(1);
        for (int j = 0; j < i; j++)
            distinct &= blocks[i] != blocks[j];
        *blocks[i] = (char)i;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += *blocks[i], free(blocks[i]);
    free(NULL);
    free(s);
    printf("%d %d\n", distinct, sum);
    return sum;
}
