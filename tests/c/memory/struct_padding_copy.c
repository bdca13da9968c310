// A struct assignment and a byte copy agree on all members.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s { char c; short h; char d; int i; char e[3]; };

int main(void) {
    struct s a, b, *heap = malloc(sizeof *heap);
    memset(&a, 0, sizeof a);
    a.c = 1, a.h = 2, a.d = 3, a.i = 4;
    memcpy(a.e, "xyz", 3);
    b = a;
    memcpy(heap, &b, sizeof b);
    heap->i += 40;
    printf("%d %d %d %d %.3s\n", heap->c, heap->h, heap->d, heap->i, heap->e);
    struct s all[3] = {a, b, *heap};
    memcpy(&all[0], &all[2], sizeof all[0]);
    int r = all[0].i;
    printf("%d %d\n", r, all[1].i);
    free(heap);
    return r;
}
