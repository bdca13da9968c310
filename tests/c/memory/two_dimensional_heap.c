// Rows that are allocated one by one, and a flat block used as a matrix.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int rows = 4, columns = 3;
    int **m = malloc((size_t)rows * sizeof *m);
    for (int i = 0; i < rows; i++) {
        m[i] = malloc((size_t)columns * sizeof **m);
        for (int j = 0; j < columns; j++)
            m[i][j] = i * 10 + j;
    }
    int *t = m[0];
    m[0] = m[3];
    m[3] = t;
    int(*flat)[3] = malloc(sizeof(int[4][3]));
    for (int i = 0; i < 12; i++)
        flat[i / 3][i % 3] = m[i / 3][i % 3];
    printf("%d %d %d\n", flat[0][1], flat[3][2], m[1][0]);
    int r = flat[0][2];
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
    free(flat);
    return r;
}
