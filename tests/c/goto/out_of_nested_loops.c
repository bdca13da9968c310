// Leaving several loops at once.
#include <stdio.h>

int main(void) {
    int a[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            if (a[i][j] == 7)
                goto found;
    printf("missing\n");
    return 1;
found:
    printf("%d %d\n", i, j);
    return a[i][j];
}
