// The left side of `op=` and of ++ is evaluated once.
#include <stdio.h>

static int calls;
static int cells[4] = {1, 2, 3, 4};

static int *cell(int i) {
    calls++;
    return &cells[i];
}

int main(void) {
    *cell(1) += 10;
    *cell(2) <<= 2;
    (*cell(3))++;
    --*cell(0);
    int i = 0;
    cells[i++] += 5;
    cells[i++] *= 2;
    printf("%d %d %d %d\n", cells[0], cells[1], cells[2], cells[3]);
    printf("%d %d\n", calls, i);
    int *p = cells;
    *p++ |= 8;
    *++p ^= 1;
    printf("%d %d %d\n", (int)(p - cells), cells[0], cells[2]);
    return calls + i;
}
