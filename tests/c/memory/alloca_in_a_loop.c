// What alloca gives lives to the end of the function, not of the block.
#include <alloca.h>
#include <stdio.h>

struct cell { int v; struct cell *next; };

static int sum(int n) {
    struct cell *list = 0;
    for (int i = 0; i < n; i++) {
        struct cell *cell = alloca(sizeof *cell);
        *cell = (struct cell){i, list};
        list = cell;
    }
    int s = 0;
    for (; list; list = list->next)
        s += list->v;
    return s;
}

int main(void) {
    int s = 0;
    for (int i = 0; i < 50; i++)
        s += sum(i);
    printf("%d\n", s);
    return s & 127;
}
