// Arrays of arrays of arrays, in row order.
#include <stdio.h>

int main(void) {
    int a[2][3][4], n = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                a[i][j][k] = n++;
    printf("%d %d %d\n", a[1][2][3], *a[1][1], **a[1]);
    printf("%d\n", *(*(*(a + 1) + 2) + 1));
    printf("%zu %zu %zu\n", sizeof a, sizeof a[0], sizeof a[0][0]);
    char *base = (char *)a;
    printf("%d\n", *(int *)(base + sizeof(int) * 17));
    printf("%d %d\n", (int)(&a[1] - &a[0]), (int)(&a[1][2] - &a[1][0]));
    return a[1][0][2];
}
