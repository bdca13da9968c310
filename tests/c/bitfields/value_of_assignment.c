// The value of an assignment to a bit-field is what the field then holds.
#include <stdio.h>

struct s { unsigned u : 4; signed i : 4; _Bool b : 1; };

int main(void) {
    struct s s = {0};
    int x = s.u = 0x2f;
    int y = s.i = 0x2f;
    int z = s.b = 6;
    printf("%d %d %d\n", x, y, z);
    x = s.u++;
    y = ++s.i;
    printf("%d %d %d %d\n", x, s.u, y, s.i);
    x = s.u += 100;
    y = s.i *= 100;
    printf("%d %d\n", x, y);
    x = --s.u;
    y = s.i = s.u = 9;
    printf("%d %d %d\n", x, y, s.u);
    return x + s.u;
}
