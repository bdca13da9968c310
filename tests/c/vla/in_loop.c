// A new array of another size in every turn.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int n = 1; n <= 6; n++) {
        short a[n * n];
        for (int i = 0; i < n * n; i++)
            a[i] = (short)(n + i);
        total += a[n * n - 1] * (int)(sizeof a / sizeof(short));
        if (n == 4)
            continue;
        total++;
    }
    printf("%d\n", total);
    return total & 127;
}
