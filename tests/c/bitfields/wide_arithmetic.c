// A bit-field wider than int keeps its own width in arithmetic with gcc: 40 bits wrap at 40 bits.
#include <stdio.h>

struct s { unsigned long long a : 40; long long b : 40; unsigned c : 32; };

int main(void) {
    struct s s = {~0ULL, -1, 5};
    printf("%d\n", s.a + 1 == 0);
    printf("%llx\n", (unsigned long long)(s.a << 4));
    printf("%llx\n", (unsigned long long)(s.a * 2ULL));
    printf("%d %llx\n", -s.a == 1, (unsigned long long)~s.a);
    printf("%d\n", s.b < 0u);
    printf("%lld\n", (long long)(s.b * 3));
    printf("%zu\n", sizeof(s.a + 0));
    printf("%llx\n", (unsigned long long)(s.a + s.c));
    return s.a + 6 == 5;
}
