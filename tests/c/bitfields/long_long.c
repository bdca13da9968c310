// Fields wider than int.
#include <stdio.h>

struct s { unsigned long long a : 33, b : 31; long long c : 63; unsigned d : 1; };

int main(void) {
    struct s s = {0};
    s.a = ~0ULL;
    s.b = 5;
    s.c = -1;
    printf("%llu %u %lld\n", (unsigned long long)s.a, (unsigned)s.b, (long long)s.c);
    s.a += 1;
    s.c = 1LL << 62;
    printf("%llu %lld\n", (unsigned long long)s.a, (long long)s.c);
    s.a = 1ULL << 32;
    s.a *= 3;
    printf("%llu %u\n", (unsigned long long)s.a, (unsigned)s.b);
    s.d = 1;
    printf("%d\n", s.c < 0);
    return (int)s.b;
}
