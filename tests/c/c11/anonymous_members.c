// Anonymous structs and unions at several levels.
#include <stddef.h>
#include <stdio.h>

struct s {
    int tag;
    union {
        struct { short low, high; };
        int whole;
        struct { union { unsigned char first; }; unsigned char second; };
    };
    struct { int x; struct { int y; }; };
};

int main(void) {
    struct s s = {.tag = 1, .low = 0x1234, .high = 1, .x = 5, .y = 6};
    printf("%x %x %x\n", s.whole, s.first, s.second);
    s.second = 0xff;
    printf("%x %d %d\n", s.low, s.x, s.y);
    printf("%zu %zu\n", offsetof(struct s, high), offsetof(struct s, y));
    struct s *p = &s, t = {2, {{7, 8}}, {9, {10}}};
    p->y += t.y + t.high;
    return p->y;
}
