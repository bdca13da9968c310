// Offsets and sizes where both data models agree.
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c, d; int i; };
struct c { short s; char c; struct a in; char e; };
struct d { char c[5]; short s; };
struct e { struct { char x; } a, b; short y; };

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c));
    printf("%zu %zu\n", sizeof(struct d), sizeof(struct e));
    printf("%zu %zu %zu\n", offsetof(struct a, i), offsetof(struct a, d), offsetof(struct b, i));
    printf("%zu %zu %zu\n", offsetof(struct c, in), offsetof(struct c, in.d), offsetof(struct c, e));
    printf("%zu %zu\n", offsetof(struct d, s), offsetof(struct d, c[3]));
    printf("%zu %zu\n", _Alignof(struct a), _Alignof(struct d));
    return (int)sizeof(struct c);
}
