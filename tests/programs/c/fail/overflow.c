// loupe: run --check signed-overflow => error signed-overflow 6:23
#include <limits.h>

int main(void) {
    int x = INT_MAX - 2;
    while (x > 0) x = x + 1;
    return 0;
}
