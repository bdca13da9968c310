// realloc keeps the contents, grows from null and shrinks.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = NULL, size = 0, n = 0;
    for (int i = 0; i < 50; i++) {
        if (n == size) {
            size = size ? size * 2 : 1;
            a = realloc(a, (size_t)size * sizeof *a);
        }
        a[n++] = i * 3;
    }
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%d %d %d\n", sum, size, a[49]);
    a = realloc(a, 5 * sizeof *a);
    int r = a[4];
    printf("%d\n", r);
    free(a);
    return r;
}
