// Floats in aggregates, passed and returned.
#include <stdio.h>

struct v { float x, y; double w; };

static struct v scale(struct v v, float k) {
    v.x *= k, v.y *= k, v.w *= k;
    return v;
}

static double dot(const double a[], const double b[], int n) {
    double s = 0;
    while (n--)
        s += a[n] * b[n];
    return s;
}

int main(void) {
    struct v v = scale((struct v){1.5f, -2, 0.125}, 4);
    printf("%.2f %.2f %.2f\n", v.x, v.y, v.w);
    double a[3] = {1, 2, 3}, b[] = {0.5, [2] = 0.25};
    printf("%.3f\n", dot(a, b, 3));
    float m[2][2] = {{1, 2}, {3, 4}};
    float *p = &m[0][1];
    *p++ += 0.5f;
    printf("%.1f\n", m[0][1]);
    return (int)(v.x + m[1][1]);
}
