// Bit-fields in conditions and with both signs.
#include <stdio.h>

struct s { signed i : 2; unsigned u : 2; };

int main(void) {
    struct s s;
    int hash = 0;
    for (int i = -2; i < 2; i++)
        for (unsigned u = 0; u < 4; u++) {
            s.i = i;
            s.u = u;
            hash = hash * 3 + (s.i < s.u) + (s.i == s.u);
            if (s.i)
                hash++;
            hash += s.u ? s.i : s.u;
        }
    printf("%d\n", hash);
    s.i = 1;
    while (s.i > 0)
        s.i++;
    printf("%d\n", s.i);
    int n = 0;
    for (s.u = 1; s.u; s.u++)
        n++;
    return n;
}
