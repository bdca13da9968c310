// exit ends the program from deep inside with its status.
#include <stdio.h>
#include <stdlib.h>

static int depth(int n) {
    if (n == 0) {
        printf("at the bottom\n");
        exit(33);
    }
    return depth(n - 1) + 1;
}

int main(void) {
    printf("going\n");
    int r = depth(5);
    printf("never %d\n", r);
    return 1;
}
