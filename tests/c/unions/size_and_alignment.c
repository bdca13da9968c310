// A union is as large as its largest member, rounded up to its alignment.
#include <stdio.h>

union a { char c[5]; int i; };
union b { char c[3]; short s; };
union c { struct { char x, y, z; } s; char c; };
struct d { char c; union a a; };

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(union a), sizeof(union b), sizeof(union c), sizeof(struct d));
    printf("%zu %zu %zu\n", _Alignof(union a), _Alignof(union b), _Alignof(union c));
    union a u[3];
    printf("%d\n", (int)((char *)&u[2] - (char *)&u[0]));
    printf("%d\n", (void *)&u[1].c == (void *)&u[1].i);
    return sizeof u;
}
