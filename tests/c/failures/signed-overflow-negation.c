// fails: signed-overflow 10
// check: signed-overflow
// gcc: cannot be represented
#include <limits.h>

int main(void) {
    int x = INT_MIN;
    short s = -32768;
    s = -s;
    return -x;
}
