// All calls of a recursive function share its static local.
#include <stdio.h>

static int walk(int depth) {
    static int calls, deepest;
    int mine = ++calls;
    if (depth > deepest)
        deepest = depth;
    if (depth < 4) {
        walk(depth + 1);
        if (depth % 2)
            walk(depth + 2);
    }
    return mine * 1000 + calls * 10 + deepest;
}

int main(void) {
    printf("%d\n", walk(0));
    int r = walk(3);
    printf("%d\n", r);
    return r & 127;
}
