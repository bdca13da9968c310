// Assertions at compile time, in all places.
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "at file scope");

struct s {
    int a;
    _Static_assert(1, "among members");
    char b;
};

int main(void) {
    _Static_assert(sizeof(struct s) == 8, "in a block");
    enum { N = 5 };
    _Static_assert(N * 2 == 10 && -1 < 0 && 'a' == 97, "arithmetic");
    for (_Static_assert(1, ""); 0;)
        ;
    printf("ok\n");
    return N;
}
