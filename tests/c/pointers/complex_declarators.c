// Declarations that have to be read from the inside.
#include <stdio.h>

static int cells[3] = {7, 8, 9};
static int *get(void) { return cells; }
static int (*rows(void))[3] { return &cells; }
static int add(int a, int b) { return a + b; }
static int (*choose(char c))(int, int) { return c == '+' ? add : 0; }

int main(void) {
    int *(*f)(void) = get;
    int(*(*g)(void))[3] = rows;
    int (*(*h)(char))(int, int) = choose;
    int *(*table[2])(void) = {get, get};
    int (*(*ptr)[2])(void);
    (void)ptr;
    char *(*(*x)[3])[4];
    (void)x;
    printf("%d %d %d %d\n", f()[1], (*g())[2], h('+')(3, 4), *table[1]());
    printf("%zu\n", sizeof **x / sizeof(char *));
    return h('-') == 0 ? cells[0] : 0;
}
