// Parameters whose bounds are other parameters.
#include <stdio.h>

static int at(int n, int m, int a[n][m], int i, int j) { return a[i][j]; }
static int diagonal(int n, int (*a)[n]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i][i];
    return s;
}
static int width(int n, int a[][n * 2]) { return (int)(sizeof a[0] / sizeof a[0][0]); }

int main(void) {
    int a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, c[1][8];
    printf("%d %d\n", at(2, 3, a, 1, 0), at(3, 3, b, 2, 1));
    printf("%d %d\n", diagonal(3, b), width(4, c));
    return diagonal(3, b) + at(2, 3, a, 1, 2);
}
