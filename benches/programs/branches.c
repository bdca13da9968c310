#include <stdio.h>

int main(void) {
    long i, n, even, odd, flip;
    n = 30000000;
    i = 0;
    even = 0;
    odd = 0;
    flip = 0;
    while (i < n) {
        if (flip == 0) {
            even = even + i;
            flip = 1;
        } else {
            odd = odd + i;
            flip = 0;
        }
        if (i == 1000 * (i / 1000)) {
            even = even - 1;
        }
        i = i + 1;
    }
    printf("%ld\n", even);
    printf("%ld\n", odd);
    return 0;
}
