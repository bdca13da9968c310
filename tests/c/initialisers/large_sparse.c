// A large array with few values; the rest must be zero.
#include <stdio.h>

static int big[100000] = {1, [50000] = 2, [99999] = 3};
static struct { char pad[1000]; int v; } far[20] = {[19].v = 4};

int main(void) {
    long long sum = 0;
    int nonzero = 0;
    for (int i = 0; i < 100000; i += 1)
        sum += big[i], nonzero += big[i] != 0;
    printf("%lld %d %d %d\n", sum, nonzero, far[19].v, far[18].v);
    return nonzero;
}
