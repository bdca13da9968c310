// The right side of && and || is evaluated only when it decides.
#include <stdio.h>

static int calls;

static int touch(int value) {
    calls++;
    return value;
}

int main(void) {
    int r = 0;
    r += touch(0) && touch(1);
    printf("%d %d\n", r, calls);
    r += touch(2) || touch(1);
    printf("%d %d\n", r, calls);
    r += (touch(0) || touch(0)) && touch(5);
    printf("%d %d\n", r, calls);
    r += touch(1) && touch(3) || touch(9);
    printf("%d %d\n", r, calls);
    int i = 0;
    if (i++ == 0 && i++ == 1 && i++ == 1 && i++)
        r = 99;
    printf("%d %d\n", r, i);
    int *nothing = 0;
    printf("%d\n", nothing && *nothing);
    return r * 10 + calls;
}
