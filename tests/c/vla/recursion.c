// Every call has its own array.
#include <stdio.h>

static int count(int n, int depth) {
    int a[depth];
    for (int i = 0; i < depth; i++)
        a[i] = n + i;
    int inner = depth > 1 ? count(n * 2, depth - 1) : 0;
    int s = inner;
    for (int i = 0; i < depth; i++)
        s += a[i];
    return s;
}

int main(void) {
    printf("%d\n", count(1, 6));
    return count(1, 4);
}
