// Two files that call each other.
#include <stdio.h>

int odd(unsigned n);
int even(unsigned n) { return n == 0 || odd(n - 1); }

int main(void) {
    printf("%d %d\n", even(10), odd(10));
    return even(7) + 2 * odd(7);
}
