// Binary search finds an element or null.
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *key, const void *element) { return *(const int *)key - *(const int *)element; }

int main(void) {
    int a[] = {1, 4, 9, 16, 25, 36, 49};
    int found = 0;
    for (int k = 0; k < 50; k++) {
        int *p = bsearch(&k, a, 7, sizeof *a, compare);
        if (p)
            found = found * 3 + (int)(p - a);
    }
    printf("%d\n", found);
    int key = 5;
    printf("%d\n", bsearch(&key, a, 7, sizeof *a, compare) == NULL);
    return found & 127;
}
