// Addresses of other objects as initialisers of static ones.
#include <stdio.h>

static int cells[5] = {10, 20, 30, 40, 50};
static struct { int a; int b[3]; } box = {1, {2, 3, 4}};
static int *third = &cells[2];
static int *end = cells + 5;
static int *inside = &box.b[1];
static const char *word = "hello" + 1;
static int f(void) { return 7; }
static int (*g)(void) = f, (*h)(void) = &f;
static int **pp = &third;
static void *self = &self;
static struct node { struct node *next; int v; } x, y = {&x, 2}, x = {&y, 1};

int main(void) {
    printf("%d %d %d %s\n", *third, end[-1], *inside, word);
    printf("%d %d %d\n", g(), h(), **pp);
    printf("%d %d\n", self == &self, x.next->next->v);
    *inside = 99;
    third++;
    printf("%d %d\n", box.b[1], **pp);
    return g();
}
