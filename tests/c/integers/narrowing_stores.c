// Storing cuts the upper bits off, whichever way one stores.
#include <stdio.h>

struct box { signed char c; unsigned short h; };

static signed char shorten(int x) { return x; }

int main(void) {
    int values[] = {0, 127, 128, 255, 256, -1, -129, 65535, 65536, 1 << 31, 0x7fffff80};
    int sum = 0;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        struct box b = {values[i], values[i]};
        signed char c = values[i];
        unsigned char u;
        u = values[i];
        printf("%d %d %d %d %d\n", b.c, b.h, c, u, shorten(values[i]));
        sum += b.c + b.h + c + u;
    }
    return sum & 127;
}
