// Any object can be read and written as bytes.
#include <stdio.h>

struct s { short a; unsigned char b, c; int d; };

int main(void) {
    int x = 0x01020304;
    unsigned char *p = (unsigned char *)&x;
    printf("%d %d %d %d\n", p[0], p[1], p[2], p[3]);
    p[3] = 0xff;
    printf("%d\n", x);
    struct s s = {-2, 3, 4, 5};
    unsigned char *q = (unsigned char *)&s;
    int sum = 0;
    for (unsigned i = 0; i < sizeof s; i++)
        sum = sum * 7 + q[i];
    printf("%d\n", sum);
    q[0] = 0;
    printf("%d\n", s.a);
    long long w = 0;
    char *c = (char *)&w + 2;
    *c = -1;
    c[1]++;
    printf("%llx\n", (unsigned long long)w);
    return p[0];
}
