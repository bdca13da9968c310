// Arguments that nobody takes, and a list that is started twice.
#include <stdarg.h>
#include <stdio.h>

static int last(int n, ...) {
    va_list args;
    int r = -1;
    for (int round = 0; round < 2; round++) {
        va_start(args, n);
        for (int i = 0; i <= round; i++)
            r = va_arg(args, int);
        va_end(args);
    }
    return r + n;
}

static int ignore(int n, ...) { return n; }

int main(void) {
    printf("%d %d %d\n", last(0, 10, 20, 30), ignore(4, "x", 2.0, 3LL), ignore(5));
    return last(1, 2, 3);
}
