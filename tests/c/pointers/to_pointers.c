// Three levels of pointers.
#include <stdio.h>

static void advance(const char **p) { ++*p; }
static void redirect(int **p, int *to) { *p = to; }

int main(void) {
    int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
    ***ppp = 10;
    *pp = &y;
    **pp += 5;
    printf("%d %d %d\n", x, y, *p);
    redirect(*ppp, &x);
    printf("%d\n", *p);
    const char *s = "hello";
    advance(&s);
    advance(&s);
    printf("%s\n", s);
    int *table[] = {&x, &y, &x}, **walk = table;
    int sum = 0;
    while (walk < table + 3)
        sum = sum * 10 + **walk++;
    printf("%d\n", sum);
    return sum & 127;
}
