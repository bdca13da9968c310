// A callback with a pointer to its data.
#include <stdio.h>

typedef void visitor(int value, void *context);

static void each(const int *a, int n, visitor *visit, void *context) {
    for (int i = 0; i < n; i++)
        visit(a[i], context);
}

struct range { int low, high, count; };

static void sum(int v, void *context) { *(int *)context += v; }
static void range(int v, void *context) {
    struct range *r = context;
    if (!r->count++ || v < r->low)
        r->low = v;
    if (r->count == 1 || v > r->high)
        r->high = v;
}

int main(void) {
    int a[] = {5, -3, 12, 7}, total = 0;
    struct range r = {0};
    each(a, 4, sum, &total);
    each(a, 4, range, &r);
    printf("%d %d %d %d\n", total, r.low, r.high, r.count);
    return total + r.high;
}
