// Without a designator the first member is initialised; the rest of the bytes are zero in statics.
#include <stdio.h>

union u { char c; int i; };
static union u a = {'A'};
static union u b = {.i = 0x01020304};
static union { struct { char x; short y; } s; unsigned char bytes[4]; } c = {{1, 0x203}};

int main(void) {
    printf("%d %d\n", a.i, b.c);
    printf("%d %d %d\n", c.bytes[0], c.bytes[2], c.bytes[3]);
    union u d[] = {{1}, {.i = 2}, {3}};
    printf("%d %d %d\n", d[0].c, d[1].i, d[2].c);
    return a.i;
}
