// fails: uninitialised-value 12
// check: uninitialised-value
// gcc: uninitialized
#include <stdio.h>

static int choose(int n) {
    int r;
    if (n > 0)
        r = 1;
    else if (n < 0)
        r = 2;
    return r + 1;
}

int main(void) {
    printf("%d %d\n", choose(1), choose(-1));
    return choose(0);
}
