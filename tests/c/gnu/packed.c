// Packed structs have no padding, and their members work unaligned.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) p { char a; int b; short c; long long d; };
struct q { char a; int b __attribute__((packed)); char c; };
struct __attribute__((packed, aligned(4))) r { char a; short b; };

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct p), sizeof(struct q), sizeof(struct r));
    printf("%zu %zu %zu\n", offsetof(struct p, b), offsetof(struct p, d), offsetof(struct q, b));
    struct p v[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    v[1].b += 1000000;
    v[0].d -= 5;
    printf("%d %d %lld %lld\n", v[1].b, v[1].c, v[0].d, v[1].d);
    unsigned char raw[sizeof v];
    memcpy(raw, v, sizeof v);
    printf("%d %d\n", raw[15], raw[5]);
    return raw[16] & 127;
}
