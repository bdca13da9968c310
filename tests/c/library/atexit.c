// Handlers run at the end in reverse order.
#include <stdio.h>
#include <stdlib.h>

static int n;

static void first(void) { printf("first %d\n", n); }
static void second(void) { printf("second %d\n", n++); }

int main(void) {
    atexit(first);
    atexit(second);
    atexit(second);
    n = 5;
    printf("main\n");
    return 9;
}
