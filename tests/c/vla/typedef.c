// A typedef of variable size keeps the size that it had.
#include <stdio.h>

int main(void) {
    int n = 3;
    typedef int row[n];
    n = 10;
    row a, b[2];
    for (int i = 0; i < 3; i++)
        a[i] = b[0][i] = b[1][2 - i] = i + 1;
    printf("%zu %zu\n", sizeof a / sizeof(int), sizeof b / sizeof(int));
    printf("%d %d %d\n", a[2], b[0][1], b[1][0]);
    row *p = &b[1];
    printf("%d\n", (*p)[2]);
    return (int)(sizeof(row) / sizeof(int)) + n;
}
