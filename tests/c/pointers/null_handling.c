// Null pointers in all spellings.
#include <stddef.h>
#include <stdio.h>

static int *none(void) { return 0; }

int main(void) {
    int *a = 0, *b = NULL, *c = (void *)0, *d = none(), x;
    static int *zeroed;
    struct { char *p; int *q[2]; } s = {0};
    printf("%d %d %d %d\n", a == b, c == d, !zeroed, s.q[1] == NULL);
    printf("%d\n", a ? 1 : 2);
    a = &x;
    printf("%d %d\n", a != 0, a && 1);
    a = a ? NULL : a;
    printf("%d\n", a == 0);
    int (*f)(void) = 0;
    printf("%d\n", f == NULL);
    return !a + !b;
}
