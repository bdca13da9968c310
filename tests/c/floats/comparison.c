// All comparisons, with zeros of both signs and mixed types.
#include <stdio.h>

int main(void) {
    double v[] = {-1.5, -0.0, 0.0, 1e-310, 1, 1.5};
    int hash = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            hash = hash * 5 + (v[i] < v[j]) + 2 * (v[i] <= v[j]) + 4 * (v[i] == v[j]) + 8 * (v[i] != v[j]) +
                   16 * (v[i] > v[j]) + 32 * (v[i] >= v[j]);
    printf("%d\n", hash);
    printf("%d %d\n", 1 == 1.0f, 0.5 < 1);
    printf("%d\n", -1 < 0.5f);
    printf("%d %d\n", (unsigned)-1 > 1e9, 4294967295u == 4294967295.0);
    printf("%d\n", 0.1f < 0.1);
    return hash & 127;
}
