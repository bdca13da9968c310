// A union holds what was written last.
#include <stdio.h>

union u { int i; char c; double d; char *s; };

int main(void) {
    union u u;
    u.i = 70;
    printf("%d\n", u.i);
    u.d = 2.5;
    printf("%.1f\n", u.d);
    u.s = "text";
    printf("%s\n", u.s);
    u.c = 'x';
    printf("%c\n", u.c);
    union u v = u, w = {9};
    printf("%c %d\n", v.c, w.i);
    return v.c;
}
