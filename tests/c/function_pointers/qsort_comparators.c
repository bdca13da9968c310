// The library calls back into the program.
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int up(const void *a, const void *b) {
    calls++;
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int down(const void *a, const void *b) { return -up(a, b); }

int main(void) {
    int a[] = {5, 3, 9, 1, 7, 3, 8};
    qsort(a, 7, sizeof *a, up);
    for (int i = 0; i < 7; i++)
        printf("%d ", a[i]);
    qsort(a, 7, sizeof *a, down);
    for (int i = 0; i < 7; i++)
        printf("%d ", a[i]);
    printf("\n%d\n", calls > 6);
    return a[0];
}
