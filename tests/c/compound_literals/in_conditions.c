// Literals in conditions, as returned values and lvalues.
#include <stdio.h>

struct p { int x, y; };

static struct p make(int x) { return (struct p){.x = x, .y = x > 5 ? (int){1} : (int){2}}; }

int main(void) {
    int n = 0;
    while ((int[]){1, 1, 1, 0}[n])
        n++;
    printf("%d\n", n);
    printf("%d %d\n", make(9).y, make(1).y);
    (int){0} = 5;
    ((struct p){1, 2}).x++;
    int v = (int){n} *= 3;
    printf("%d\n", v);
    return v;
}
