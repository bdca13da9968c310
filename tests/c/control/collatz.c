// A loop whose number of turns nobody knows.
#include <stdio.h>

int main(void) {
    int longest = 0, best = 0;
    for (int start = 1; start < 100; start++) {
        int steps = 0;
        for (long long n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            steps++;
        if (steps > longest)
            longest = steps, best = start;
    }
    printf("%d %d\n", best, longest);
    return longest;
}
