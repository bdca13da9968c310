// The same tag and typedef mean different types in different files.
#include <stdio.h>

struct item { int a, b; };
typedef struct item thing;
int use_other(int);

static int use(thing t) { return t.a * t.b; }

int main(void) {
    struct item i = {3, 4};
    printf("%d %d\n", use(i), use_other(5));
    return use(i) + (int)sizeof(thing);
}
