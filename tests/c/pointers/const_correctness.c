// Pointers to const, const pointers, and a const object that is only read.
#include <stdio.h>

static int length(const char *s) {
    const char *const start = s;
    while (*s)
        s++;
    return (int)(s - start);
}

int main(void) {
    const int k = 7;
    const int *p = &k;
    int x = 3;
    int *const q = &x;
    *q += *p;
    p = q;
    *q += 1;
    printf("%d %d %d\n", k, x, *p);
    const char *const names[] = {"a", "bcd"};
    return length(names[1]) + *p;
}
