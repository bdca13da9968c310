// A pointer to an array steps over whole rows.
#include <stdio.h>

int main(void) {
    int m[3][4];
    for (int i = 0; i < 12; i++)
        m[i / 4][i % 4] = i;
    int(*row)[4] = m;
    printf("%d %d %d\n", (*row)[1], row[1][2], *(*(row + 2) + 3));
    row++;
    printf("%d %d\n", **row, (int)sizeof *row);
    int(*whole)[3][4] = &m;
    printf("%d %d\n", (*whole)[2][0], (int)sizeof *whole);
    int *flat = &m[0][0];
    printf("%d\n", flat[3]);
    printf("%d\n", (int)(&m[2] - &m[0]));
    return (*row)[3] + (int)((char *)(row + 1) - (char *)row);
}
