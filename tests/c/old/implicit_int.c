// std: gnu89
// Missing types mean int.
#include <stdio.h>

static counter = 3;

next() { return ++counter; }

sum(a, b) { return a + b; }

main() {
    register i;
    auto total = 0;
    const limit = 4;
    for (i = 0; i < limit; i++)
        total += next();
    unsigned u = -1;
    printf("%d %d\n", total, u > 0);
    return sum(total, 1);
}
