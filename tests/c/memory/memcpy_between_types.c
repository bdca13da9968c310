// memcpy moves representations.
#include <stdio.h>
#include <string.h>

struct s { int a; char b[4]; };

int main(void) {
    float f = 1.5f;
    unsigned u;
    memcpy(&u, &f, sizeof u);
    printf("%x\n", u);
    u += 0x00400000;
    memcpy(&f, &u, sizeof f);
    printf("%.2f\n", f);
    struct s s = {7, "abc"}, t;
    char raw[sizeof s];
    memcpy(raw, &s, sizeof s);
    raw[4]++;
    memcpy(&t, raw, sizeof t);
    printf("%d %s\n", t.a, t.b);
    unsigned long long w = 0;
    memcpy((char *)&w + 1, "\x11\x22\x33", 3);
    printf("%llx\n", w);
    short h[4];
    memcpy(h, &w, sizeof h);
    printf("%x %x\n", h[0], h[1]);
    return h[1] & 127;
}
