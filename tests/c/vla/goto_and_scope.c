// Leaving the scope of an array and entering it again.
#include <stdio.h>

int main(void) {
    int n = 1, sum = 0;
again: {
    int a[n];
    a[n - 1] = n * 7;
    sum += a[n - 1] + (int)(sizeof a / sizeof(int));
    n++;
    if (n < 6)
        goto again;
}
    printf("%d %d\n", n, sum);
    return sum & 127;
}
