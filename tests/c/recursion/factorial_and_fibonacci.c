// The first recursive functions that everybody writes.
#include <stdio.h>

static unsigned long long factorial(unsigned n) { return n ? n * factorial(n - 1) : 1; }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    printf("%llu %llu\n", factorial(20), factorial(25));
    printf("%d\n", fibonacci(15));
    return fibonacci(11);
}
