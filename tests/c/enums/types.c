// Enumerators are int; an enum without negative values is unsigned in gcc.
#include <stdio.h>

enum small { X, Y };
enum negative { N = -1, P };

int main(void) {
    enum small s = X;
    enum negative n = N;
    printf("%zu %zu %zu\n", sizeof s, sizeof(enum negative), sizeof X);
    printf("%d\n", X - 1 < 0);
    printf("%d\n", s - 1 < 0);
    printf("%d\n", n < 0);
    s = -1;
    printf("%d\n", s > 0);
    n = 300;
    printf("%d\n", n);
    printf("%d\n", (enum small)-1 < 0);
    return n & 127;
}
