// Variadic functions and structs by value across files.
#include "api.h"
#include <stdio.h>

int main(void) {
    struct result r = collect("idi", 1, 2.5, 3);
    printf("%d %.1f\n", r.count, r.sum);
    r = merge(r, (struct result){10, 0.25});
    printf("%d %.2f\n", r.count, r.sum);
    return r.count;
}
