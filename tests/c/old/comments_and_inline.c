// std: gnu89
// gnu89 has // comments, mixed declarations and its own inline.
#include <stdio.h>

static inline int twice(int x) { return 2 * x; }
extern inline int thrice(int x) { return 3 * x; }
int thrice(int x) { return 3 * x; }

int main() {
    int a = 4; // comment
    a++;
    int b = a //* divisor */ 2
        ;
    printf("%d %d %d\n", a, b, twice(b));
    return thrice(b);
}
