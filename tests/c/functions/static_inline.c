// inline functions with static storage inside.
#include <stdio.h>

static inline int counter(void) {
    static int n = 10;
    return n++;
}

static inline __attribute__((always_inline)) int square(int x) { return x * x; }

int main(void) {
    printf("%d ", counter());
    printf("%d ", counter());
    int r = square(counter());
    printf("%d %d\n", r, counter());
    return square(5) + square(-2);
}
