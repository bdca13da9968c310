// Structs by value through pointers to functions.
#include <stdio.h>

struct v { int x, y, z; };

static struct v add(struct v a, struct v b) { return (struct v){a.x + b.x, a.y + b.y, a.z + b.z}; }
static struct v cross(struct v a, struct v b) {
    return (struct v){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct v fold(struct v (*f)(struct v, struct v), const struct v *a, int n) {
    struct v r = a[0];
    for (int i = 1; i < n; i++)
        r = f(r, a[i]);
    return r;
}

int main(void) {
    struct v a[] = {{1, 2, 3}, {4, 5, 7}, {-1, 0, 2}};
    struct v s = fold(add, a, 3), c = fold(cross, a, 3);
    printf("%d %d %d %d %d %d\n", s.x, s.y, s.z, c.x, c.y, c.z);
    return fold(add, a, 2).z + s.x;
}
