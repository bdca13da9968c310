// Small integers arrive as int, float as double.
#include <stdarg.h>
#include <stdio.h>

static int show(const char *kinds, ...) {
    va_list args;
    va_start(args, kinds);
    int n = 0;
    for (; *kinds; kinds++, n++)
        switch (*kinds) {
        case 'i': printf("%d ", va_arg(args, int)); break;
        case 'd': printf("%.3f ", va_arg(args, double)); break;
        case 'u': printf("%u ", va_arg(args, unsigned)); break;
        }
    va_end(args);
    printf("\n");
    return n;
}

struct bits { unsigned a : 5; signed b : 4; };

int main(void) {
    char c = -1;
    unsigned char u = 255;
    short s = -300;
    unsigned short h = 65535;
    float f = 1.25f;
    _Bool b = 1;
    struct bits bits = {31, -8};
    int n = show("iiiiidii", c, u, s, h, b, f, bits.a, bits.b);
    n += show("ud", 4000000000u, 2.5f * 2);
    return n;
}
