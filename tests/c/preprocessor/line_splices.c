// A backslash at the end of a line joins it with the next, anywhere.
#include <stdio.h>

#define LONG 1 + \
    2 + \
    3

int ma\
in(void) {
    // this comment goes on \
    printf("not printed\n");
    printf("%d\n", LONG);
    int val\
ue = 4;
    printf("a\
b\n");
    return val\
ue;
}
