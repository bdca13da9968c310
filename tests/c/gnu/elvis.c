// a ?: b evaluates a once.
#include <stdio.h>

static int calls;

static int next(int v) {
    calls++;
    return v;
}

int main(void) {
    printf("%d %d\n", next(5) ?: 7, next(0) ?: 7);
    printf("%d\n", calls);
    const char *s = 0;
    printf("%s\n", s ?: "default");
    printf("%d\n", 0 ?: 0 ?: 3);
    int x = 0;
    int y = x++ ?: x;
    printf("%d %d\n", x, y);
    printf("%.1f\n", 0 ?: 2.5);
    return next(0) ?: calls;
}
