// Elements that are structs, and a flat copy by bytes.
#include <stdio.h>
#include <string.h>

struct item { char c; int v; };

static int last(int n) {
    struct item a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = (struct item){(char)('a' + i), i * i};
    memcpy(b, a, sizeof a);
    a[n - 1].v = -1;
    return b[n - 1].v + b[n - 1].c;
}

int main(void) {
    printf("%d %d\n", last(3), last(6));
    return last(5);
}
