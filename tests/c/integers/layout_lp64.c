// model: LP64
// Sizes and alignments on x86-64.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct mixed { char c; long long w; short s; double d; char *p; long l; char e; };
struct bits { long long a : 33; int b : 5; };
union any { char c[5]; long long w; };

int main(void) {
    printf("%d %d %d %d\n", (int)offsetof(struct mixed, w), (int)offsetof(struct mixed, s),
           (int)offsetof(struct mixed, d), (int)offsetof(struct mixed, p));
    printf("%d %d %d\n", (int)offsetof(struct mixed, l), (int)sizeof(struct mixed), (int)_Alignof(struct mixed));
    printf("%d %d\n", (int)sizeof(struct bits), (int)sizeof(union any));
    printf("%d %d\n", (int)_Alignof(union any), (int)_Alignof(long double));
    printf("%d %d %d %d\n", (int)sizeof(size_t), (int)sizeof(ptrdiff_t), (int)sizeof(intptr_t), (int)sizeof(wchar_t));
    printf("%d %d %d\n", (int)sizeof(int_fast16_t), (int)sizeof(int64_t), (int)sizeof(intmax_t));
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lu\n", SIZE_MAX);
    return (int)sizeof(struct mixed);
}
