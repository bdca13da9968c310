// _Alignas on objects and members.
#include <stdint.h>
#include <stdio.h>

struct s { char a; _Alignas(8) char b; _Alignas(int) char c; };

static _Alignas(32) char pool[5];

int main(void) {
    _Alignas(16) int local[3] = {1, 2, 3};
    _Alignas(0) char nothing = 'n';
    printf("%zu %zu\n", sizeof(struct s), _Alignof(struct s));
    printf("%d %d\n", (int)((uintptr_t)pool % 32), (int)((uintptr_t)local % 16));
    struct s s = {'a', 'b', 'c'};
    printf("%d %d %c\n", (int)(&s.b - &s.a), (int)(&s.c - &s.a), nothing);
    printf("%zu %zu\n", _Alignof(short), _Alignof(char[7]));
    return local[2];
}
