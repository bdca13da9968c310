// A definition in the old style takes promoted values, also from a call through a pointer.
#include <stdio.h>

int narrow(c, d, g)
    char c;
    short d;
    float g;
{
    int *address = 0;
    char *inside = &c;
    (*inside)++;
    return c * 100 + d + (int)(g * 2) + (address != 0);
}

int truth(b)
    _Bool b;
{
    return b ? 10 : 20;
}

int main(void) {
    int (*pointer)() = narrow;
    char c = 3;
    short d = 4;
    printf("%d\n", pointer(c, d, 2.5f));
    printf("%d\n", pointer(300, 70000, 1.5));
    printf("%d\n", narrow(c, d, 2.5f));
    pointer = truth;
    printf("%d %d\n", pointer((_Bool)1), truth((_Bool)0));
    return 0;
}
