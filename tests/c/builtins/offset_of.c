// Offsets with members, arrays and nested structs, also as constants.
#include <stddef.h>
#include <stdio.h>

struct in { char a; short b[3]; };
struct s { char x; struct in y[2]; int z; };

static char map[offsetof(struct s, z)];
enum { AT = offsetof(struct s, y[1].b[2]) };

int main(void) {
    printf("%zu %zu\n", __builtin_offsetof(struct s, y), offsetof(struct s, y[1]));
    printf("%d %zu\n", AT, sizeof map);
    int i = 1;
    printf("%zu\n", offsetof(struct s, y[i].b[i]));
    struct s s = {.y[1].b[2] = 77};
    return *(short *)((char *)&s + AT);
}
