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

int main(void) {
    printf("%d %d %d %zu\n", a, b, c, sizeof d / sizeof *d);
    a += b;
    d[2] = a + c;
    return d[2];
}
