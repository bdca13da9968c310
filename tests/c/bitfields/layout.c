// Fields share units, do not cross them, and a width of zero ends a unit.
#include <stdio.h>
#include <string.h>

struct a { unsigned x : 20, y : 20; };
struct b { unsigned char x : 4, y : 5; };
struct c { unsigned x : 4; unsigned : 0; unsigned y : 4; };
struct d { char c; unsigned x : 8; short s; };
struct e { unsigned short x : 9, y : 7, z : 1; };
struct f { char c; int : 0; char d; };

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d),
           sizeof(struct e), sizeof(struct f));
    struct a a;
    memset(&a, 0, sizeof a);
    a.x = 0xabcde;
    a.y = 0x54321;
    unsigned w[2];
    memcpy(w, &a, sizeof w);
    printf("%x %x\n", w[0], w[1]);
    struct b b;
    memset(&b, 0, sizeof b);
    b.x = 15, b.y = 17;
    unsigned char bytes[2];
    memcpy(bytes, &b, 2);
    printf("%x %x\n", bytes[0], bytes[1]);
    struct d d;
    memset(&d, 0, sizeof d);
    d.c = 1, d.x = 2, d.s = 3;
    unsigned v;
    memcpy(&v, &d, 4);
    printf("%x\n", v);
    return sizeof(struct e);
}
