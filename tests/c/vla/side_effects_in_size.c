// Effects in the size happen once, at the declaration; those in sizeof of a VLA type happen too.
#include <stdio.h>

static int calls;

static int three(void) {
    calls++;
    return 3;
}

int main(void) {
    int n = 4;
    char a[n++];
    printf("%zu %d\n", sizeof a, n);
    int size = (int)(sizeof(int[n++]) / sizeof(int));
    printf("%d %d\n", size, n);
    char b[three()][three()];
    printf("%zu %zu %d\n", sizeof b, sizeof b[0], calls);
    n = 100;
    printf("%zu %zu\n", sizeof a, sizeof b);
    a[3] = 'x';
    b[2][2] = 'y';
    return a[3] + b[2][2] - 200;
}
