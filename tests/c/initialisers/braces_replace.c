// Braces give a whole member its value, whatever was there before; a designator deeper inside does not.
#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }

struct point {
    int x, y;
};
struct line {
    struct point from, to;
    int tags[3];
};
struct picture {
    struct line lines[2];
    int z;
};

#define SHOW(l) \
    printf("%d %d %d %d %d %d %d\n", (l).from.x, (l).from.y, (l).to.x, (l).to.y, (l).tags[0], \
           (l).tags[1], (l).tags[2])

static struct line replaced = {.from = {.x = 1}, .from = {.y = 2}};
static struct line kept = {.from = {.x = 1}, .from.y = 2};
static struct line array = {.tags = {1, 2, 3}, .tags = {[1] = 5}};
static struct line element = {.tags = {1, 2, 3}, .tags[1] = 5};
static struct picture deep = {.lines[1].from = {3, 4}, .lines[1] = {.to.y = 6}, .z = 1};
static struct picture deeper = {.lines[1].from = {3, 4}, .lines[1].to = {5, 6}, .z = 1};
static struct line next_one = {.to = {1, 2}, .from = {3, 4}, .to.x = (7)};

int main(void) {
    struct line local = {.from = {.x = next()}, .from = {.y = next()}};
    struct line both = {.from.x = (next()), .from.y = (int)(next())};
    struct picture inner = {.lines = {[0].from = {1, 2}, [0] = {.tags = {9}}, [1].to.x = 8}};
    struct line literal = (struct line){.to = {.x = 1}, .to = {.y = next()}};
    SHOW(replaced);
    SHOW(kept);
    SHOW(array);
    SHOW(element);
    SHOW(deep.lines[1]);
    SHOW(deeper.lines[1]);
    SHOW(next_one);
    SHOW(local);
    SHOW(both);
    SHOW(inner.lines[0]);
    SHOW(inner.lines[1]);
    SHOW(literal);
    printf("%d\n", calls);
    return 0;
}
