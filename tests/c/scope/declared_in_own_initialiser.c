// A name is in scope from its declarator on, also in its own initialiser.
#include <stdio.h>

int main(void) {
    int x = 3;
    {
        int y = x;
        int x[sizeof x] ;
        printf("%zu\n", sizeof x / sizeof *x == sizeof(int) ? sizeof x : 0);
        x[0] = y;
        printf("%d\n", x[0]);
    }
    void *p = &p;
    printf("%d\n", p == &p);
    struct node { struct node *next; } n = {&n};
    printf("%d\n", n.next == &n);
    int z = sizeof z;
    return z + x;
}
