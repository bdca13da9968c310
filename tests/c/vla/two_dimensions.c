// Rows of variable length.
#include <stdio.h>

static int fill(int rows, int columns) {
    int m[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i][j] = i * 10 + j;
    int(*row)[columns] = m + rows - 1;
    printf("%zu %zu %d\n", sizeof m / sizeof(int), sizeof *row / sizeof(int), (*row)[columns - 1]);
    return m[rows / 2][columns / 2] + (int)(&m[1] - &m[0]);
}

int main(void) {
    int r = fill(2, 3);
    r += fill(5, 1);
    r += fill(1, 7);
    printf("%d\n", r);
    return r;
}
