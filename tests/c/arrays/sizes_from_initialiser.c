// The length comes from the list, with the largest designated index.
#include <stdio.h>

static int a[] = {1, 2, 3};
static int b[] = {[9] = 1, [3] = 2, 4};
static char c[] = "word";
static char d[] = {'w', 'o'};
static int e[][2] = {1, 2, 3};
static struct { int x, y; } f[] = {{1, 2}, {3}};

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof a / sizeof *a, sizeof b / sizeof *b, sizeof c, sizeof d);
    printf("%zu %zu\n", sizeof e / sizeof *e, sizeof f / sizeof *f);
    printf("%d %d %d\n", b[4], b[9], e[1][1]);
    return (int)(sizeof b / sizeof *b);
}
