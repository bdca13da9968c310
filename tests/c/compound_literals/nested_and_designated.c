// Literals within literals, with designators.
#include <stdio.h>

struct in { int a[3]; };
struct out { struct in x, *p; const char *names[3]; };

static int show(const struct out *o) {
    printf("%d %d %s\n", o->x.a[1], o->p->a[2], o->names[2]);
    return o->x.a[1] + o->p->a[2];
}

int main(void) {
    int k = 4;
    int r = show(&(struct out){.p = &(struct in){{[2] = k}}, .x = (struct in){{1, k * 2}}, .names = {[2] = "third"}});
    return r;
}
