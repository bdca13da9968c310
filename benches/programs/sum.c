#include <stdio.h>

int main(void) {
    long i, n, sum;
    n = 100000000;
    i = 0;
    sum = 0;
    while (i < n) {
        sum = sum + i;
        i = i + 1;
    }
    printf("%ld\n", sum);
    return 0;
}
