// Designators that go several levels down.
#include <stdio.h>

struct cell { int v; char tag[4]; };
struct grid { struct cell cells[2][3]; struct { int w, h; } size; };

static struct grid g = {
    .size = {.h = 2},
    .size.w = 3,
    .cells[1][2].v = 12,
    .cells[0] = {[1] = {.v = 1, .tag = "ab"}, {2, "cd"}},
    .cells[1][0] = {10, {[2] = 'z'}},
};

int main(void) {
    int sum = 0;
    for (int i = 0; i < g.size.h; i++)
        for (int j = 0; j < g.size.w; j++) {
            struct cell *c = &g.cells[i][j];
            printf("%d%c%c%c ", c->v, c->tag[0] ?: '.', c->tag[1] ?: '.', c->tag[2] ?: '.');
            sum += c->v * (i + 2 * j + 1);
        }
    printf("\n");
    return sum & 127;
}
