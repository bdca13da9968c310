// fails: division-by-zero 8
// gcc: division by zero
#include <stdio.h>

int main(void) {
    unsigned n = 7;
    for (unsigned d = 3;; d--)
        printf("%u\n", n % d);
}
