// rand is a fixed sequence for a fixed seed, below RAND_MAX.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand(5);
    int a = rand(), b = rand();
    srand(5);
    int ok = a == rand() && b == rand();
    for (int i = 0; i < 100; i++) {
        int r = rand();
        ok &= r >= 0 && r <= RAND_MAX;
    }
    printf("%d %d\n", ok, RAND_MAX >= 32767);
    return ok + 6;
}
