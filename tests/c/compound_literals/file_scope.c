// A literal at file scope lives for ever.
#include <stdio.h>

static int *cells = (int[]){10, 20, 30};
static struct p { int x; const char *s; } *q = &(struct p){5, "five"};
static int *one = &(int){1};

int main(void) {
    cells[1]++;
    q->x *= 2;
    *one += 1;
    printf("%d %d %s %d\n", cells[1], q->x, q->s, *one);
    return cells[2];
}
