// Arrays that index other arrays, as in permutations.
#include <stdio.h>

int main(void) {
    int next[8] = {3, 0, 5, 6, 1, 7, 2, 4};
    int seen[8] = {0}, at = 0, steps = 0;
    while (!seen[at]++) {
        at = next[at];
        steps++;
    }
    printf("%d %d\n", at, steps);
    int inverse[8];
    for (int i = 0; i < 8; i++)
        inverse[next[i]] = i;
    int ok = 1;
    for (int i = 0; i < 8; i++)
        ok &= inverse[next[inverse[next[i]]]] == i;
    printf("%d %d\n", ok, next[next[next[inverse[inverse[2]]]]]);
    return steps;
}
