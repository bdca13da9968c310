#include <stdio.h>

static long fib(long n) {
    long result;
    if (n < 2) {
        result = n;
    } else {
        result = fib(n - 1) + fib(n - 2);
    }
    return result;
}

int main(void) {
    printf("%ld\n", fib(30));
    return 0;
}
