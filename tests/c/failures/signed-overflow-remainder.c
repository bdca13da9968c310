// fails: signed-overflow 7
// gcc: cannot be represented
#include <limits.h>

int main(void) {
    long long x = LLONG_MIN, y = -1;
    return (int)(x % y);
}
