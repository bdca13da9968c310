// typeof of types and expressions, without evaluation.
#include <stdio.h>

int main(void) {
    int i = 1;
    typeof(i) j = 2;
    __typeof__(i++) k = 3;
    typeof(int *) p = &j, q = &k;
    typeof(int[3]) a = {4, 5, 6};
    typeof(a) b = {7};
    typeof(&a[0]) r = a + 1;
    typeof(printf) *print = printf;
    const typeof(1u + 1) u = -1;
    print("%d %d %d %d\n", i, j, k, *p + *q);
    printf("%d %d %d %zu %d\n", a[2], b[0], *r, sizeof b, u > 0);
    typeof(*p) copy = *p;
    typeof(struct { int x; }) s = {copy};
    return s.x + (int)sizeof(typeof(char));
}
