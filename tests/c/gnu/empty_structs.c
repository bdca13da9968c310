// A struct without members has size zero.
#include <stdio.h>

struct none {};
struct with { int a; struct none n; int b; };

static struct none pass(struct none n) { return n; }

int main(void) {
    struct none a, b[3];
    struct with w = {1, {}, 2};
    a = pass(a);
    (void)b;
    printf("%zu %zu %zu\n", sizeof a, sizeof b, sizeof w);
    printf("%d %d\n", w.a, w.b);
    return w.b;
}
