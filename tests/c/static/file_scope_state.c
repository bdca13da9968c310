// A generator of random numbers with state in the file.
#include <stdio.h>

static unsigned long long state = 88172645463325252ULL;

static unsigned next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32);
}

static unsigned below(unsigned n) { return (unsigned)((unsigned long long)next() * n >> 32); }

int main(void) {
    int counts[6] = {0};
    for (int i = 0; i < 600; i++)
        counts[below(6)]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", counts[i]);
    printf("\n%llx\n", state);
    return counts[0];
}
