// Tags of structs follow scopes too.
#include <stdio.h>

struct s { int a; };

static int size(void) { return sizeof(struct s); }

int main(void) {
    struct s one = {1};
    int r = size();
    {
        struct s { char c[20]; } two = {"inner"};
        struct t { struct s *p; } t = {&two};
        printf("%s %zu\n", t.p->c, sizeof(struct s));
        r += (int)sizeof(struct s);
    }
    printf("%d %d\n", one.a, (int)sizeof(struct s));
    return r;
}
