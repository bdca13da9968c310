// fails: signed-overflow 10
// check: signed-overflow
// gcc: signed integer overflow
#include <limits.h>

int main(void) {
    signed char c = 127;
    long long w = LLONG_MAX;
    c++;
    w++;
    return c;
}
