// Binary constants, dollars in names, escapes and alternate keywords.
#include <stdio.h>

static __inline__ int a$b(int __attribute__((unused)) x) { return 0b1010; }

int main(void) {
    __const int c = 0B11;
    __volatile__ int v = 2;
    __signed__ char s = -1;
    int $dollar = a$b(1);
    printf("%d %d %d %d\n", c, v, s, $dollar);
    __extension__ long long w = 5;
    printf("%d\n", '\e');
    return (int)w + $dollar;
}
