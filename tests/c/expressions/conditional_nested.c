// ?: nests to the right, and only the chosen branch runs.
#include <stdio.h>

static int trace;

static int step(int n) {
    trace = trace * 10 + n;
    return n;
}

static const char *size(int n) {
    return n < 10 ? "small" : n < 100 ? "medium" : n < 1000 ? "large" : "huge";
}

int main(void) {
    printf("%s %s %s %s\n", size(1), size(10), size(999), size(1000));
    int r = step(0) ? step(1) ? step(2) : step(3) : step(4) ? step(5) : step(6);
    printf("%d %d\n", r, trace);
    int a = 3, b = 4;
    (a > b ? a : b) > 3 ? a++ : b++;
    printf("%d %d\n", a, b);
    return trace & 127;
}
