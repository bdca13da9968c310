// typedefs of enums, enums in structs and as parameters.
#include <stdio.h>

typedef enum { OFF, ON } power;
typedef struct { power p; enum mode { SLOW, FAST } m; } device;

static power toggle(power p) { return p == ON ? OFF : ON; }
static int speed(enum mode m, power p) { return p ? (m == FAST) * 10 + 1 : 0; }

int main(void) {
    device d = {OFF, FAST};
    d.p = toggle(d.p);
    printf("%d %d\n", d.p, speed(d.m, d.p));
    d.m = SLOW;
    printf("%d %d\n", speed(d.m, d.p), speed(d.m, toggle(d.p)));
    return speed(FAST, ON);
}
