// A loop with two entries.
#include <stdio.h>

static int f(int enter, int n) {
    int trace = 0;
    if (enter)
        goto second;
first:
    trace = trace * 3 + 1;
    if (n-- <= 0)
        return trace;
second:
    trace = trace * 3 + 2;
    if (n-- > 0)
        goto first;
    return trace;
}

int main(void) {
    printf("%d %d %d %d\n", f(0, 3), f(1, 3), f(0, 4), f(1, 0));
    return f(1, 4) & 127;
}
