// Several declarations of one object; one at most has an initialiser.
#include <stdio.h>

int a;
int a;
extern int a;
int b;
int b = 6;
int b;
static int c;
static int c = 3;
int d[];
int d[3];
struct later e;
struct later { int v; } e;

int main(void) {
    printf("%d %d %d %zu %d\n", a, b, c, sizeof d / sizeof *d, e.v);
    a += b;
    d[2] = a + c;
    return d[2];
}
