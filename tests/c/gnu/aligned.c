// Alignments of types, members and variables.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct s { char a; int b __attribute__((aligned(16))); char c; };
typedef int wide __attribute__((aligned(8)));
struct t { char a; wide b; };

static char buffer[3] __attribute__((aligned(64)));

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct s), offsetof(struct s, b), _Alignof(struct s));
    printf("%zu %zu\n", sizeof(struct t), __alignof__(wide));
    printf("%d\n", (int)((uintptr_t)buffer % 64));
    char local __attribute__((aligned(32))) = 'x';
    printf("%d %c\n", (int)((uintptr_t)&local % 32), local);
    struct s a[2];
    return (int)((char *)&a[1].b - (char *)&a[0].b);
}
