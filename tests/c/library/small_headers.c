// Small headers: stdbool, iso646, stddef, stdalign, stdnoreturn.
#include <iso646.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdnoreturn.h>

static noreturn void stop(void) { __builtin_trap(); }

int main(void) {
    bool yes = 5, no = not yes;
    printf("%d %d %d\n", yes, no, true + true);
    printf("%d\n", yes and not no or false);
    printf("%d\n", 6 bitand 3 xor 1);
    printf("%d\n", (int)alignof(int));
    char five[5];
    ptrdiff_t d = &five[4] - five;
    if (d == 77)
        stop();
    return yes + true;
}
