// Array range designators with struct values and a size from the range.
#include <stdio.h>

static struct { short lo, hi; } table[] = {[0 ... 3] = {1, 2}, [7] = {3, 4}, [5 ... 6] = {.hi = 9}};

int main(void) {
    int sum = 0, n = sizeof table / sizeof *table;
    for (int i = 0; i < n; i++) {
        printf("%d,%d ", table[i].lo, table[i].hi);
        sum = sum * 2 + table[i].lo + table[i].hi;
    }
    printf("%d\n", n);
    return sum & 127;
}
