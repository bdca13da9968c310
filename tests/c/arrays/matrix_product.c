// Products of matrices, with arrays in structs and as parameters.
#include <stdio.h>

struct matrix { long long cell[3][3]; };

static struct matrix multiply(const struct matrix *a, const struct matrix *b) {
    struct matrix r = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                r.cell[i][j] += a->cell[i][k] * b->cell[k][j];
    return r;
}

static long long trace(long long m[3][3]) { return m[0][0] + m[1][1] + m[2][2]; }

int main(void) {
    struct matrix m = {{{1, 2, 0}, {0, 1, -3}, {4, 0, 1}}}, p = m;
    for (int i = 0; i < 9; i++)
        p = multiply(&p, &m);
    printf("%lld %lld %lld\n", trace(p.cell), p.cell[0][2], p.cell[2][1]);
    return (int)(trace(p.cell) & 127);
}
