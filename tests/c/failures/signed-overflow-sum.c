// fails: signed-overflow 9
// check: signed-overflow
// gcc: signed integer overflow
#include <limits.h>

int main(void) {
    int x = INT_MAX - 2, n = 0;
    while (x > 0) {
        x = x + 1;
        n++;
    }
    return n;
}
