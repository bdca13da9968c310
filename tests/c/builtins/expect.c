// Hints about branches give back their first argument.
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

int main(void) {
    int n = 0;
    for (int i = 0; i < 10; i++)
        if (likely(i & 1))
            n += i;
        else if (unlikely(i == 4))
            n += 100;
    printf("%d\n", n);
    printf("%ld\n", __builtin_expect(n++, 7));
    printf("%ld\n", __builtin_expect_with_probability(n, 1, 0.9));
    return n & 127;
}
