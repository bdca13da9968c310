// A weak function that is missing has a null address; a weak definition is used.
#include <stdio.h>

extern int missing(int) __attribute__((weak));
int present(int) __attribute__((weak));
int present(int x) { return x + 1; }

int main(void) {
    printf("%d %d\n", missing != 0, present != 0);
    int r = missing ? missing(1) : 10;
    printf("%d\n", r);
    return present(r);
}
