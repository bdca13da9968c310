// Objects with tables of methods and inheritance by first member.
#include <stdio.h>

struct shape;
struct methods { int (*area)(const struct shape *); const char *name; };
struct shape { const struct methods *methods; };
struct square { struct shape base; int side; };
struct box { struct square base; int height; };

static int square_area(const struct shape *s) { return ((const struct square *)s)->side * ((const struct square *)s)->side; }
static int box_area(const struct shape *s) {
    const struct box *b = (const struct box *)s;
    return b->base.side * b->height;
}

static const struct methods square_methods = {square_area, "square"}, box_methods = {box_area, "box"};

int main(void) {
    struct square a = {{&square_methods}, 5};
    struct box b = {{{&box_methods}, 3}, 7};
    const struct shape *all[] = {&a.base, &b.base.base};
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int area = all[i]->methods->area(all[i]);
        printf("%s %d\n", all[i]->methods->name, area);
        sum += area;
    }
    return sum;
}
