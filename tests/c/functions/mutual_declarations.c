// Functions that are declared many times, and called before they are defined.
#include <stdio.h>

int odd(unsigned);
int even(unsigned n);
int odd(unsigned n);

int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

extern int even(unsigned);

int main(void) {
    printf("%d %d %d %d\n", even(10), odd(10), even(7), odd(7));
    return even(100) + 2 * odd(101);
}
