// Unions as arguments and results.
#include <stdio.h>

union u { int i; unsigned char b[4]; };

static union u flip(union u x) {
    union u y = {.b = {x.b[3], x.b[2], x.b[1], x.b[0]}};
    x.i = 0;
    return y;
}

int main(void) {
    union u a = {0x01020304};
    printf("%x %x\n", flip(a).i, a.i);
    printf("%d\n", flip(flip(a)).b[0]);
    return flip(a).b[3];
}
