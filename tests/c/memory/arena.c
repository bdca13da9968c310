// An allocator that cuts pieces out of a static block.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static _Alignas(16) char pool[256];
static size_t used;

static void *take(size_t n) {
    void *p = pool + used;
    used += (n + 7) & ~(size_t)7;
    return memset(p, 0, n);
}

struct point { int x, y; };

int main(void) {
    int *a = take(3 * sizeof *a);
    struct point *p = take(sizeof *p);
    char *s = take(6);
    a[0] = 1, a[2] = 3;
    *p = (struct point){4, 5};
    strcpy(s, "arena");
    printf("%d %d %d %d %s\n", a[0] + a[1] + a[2], p->x, p->y, (int)used, s);
    printf("%d\n", (int)((char *)p - (char *)a));
    return (int)used;
}
