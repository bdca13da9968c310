// Unions inside of initialised aggregates.
#include <stdio.h>

struct s { int k; union { char c; struct { short a, b; } p; int i; } u; int end; };

static struct s table[] = {{1, {'c'}, 9}, {2, {.p = {3, 4}}, 8}, {3, {.i = 70000}, 7}, {4, .u.p.b = 6, .end = 5}, {5, 'd', 4}};

int main(void) {
    printf("%c %d %d %d %d %c\n", table[0].u.c, table[1].u.p.b, table[2].u.i, table[3].u.p.b, table[3].end, table[4].u.c);
    int sum = 0;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        sum += table[i].end * table[i].k;
    printf("%d\n", sum);
    return sum;
}
