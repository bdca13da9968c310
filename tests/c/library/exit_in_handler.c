// exit runs handlers too, _Exit does not.
#include <stdio.h>
#include <stdlib.h>

static void bye(void) {
    printf("bye\n");
    fflush(stdout);
    _Exit(21);
}

static void never(void) { printf("never\n"); }

int main(void) {
    atexit(never);
    atexit(bye);
    printf("leaving\n");
    exit(3);
}
