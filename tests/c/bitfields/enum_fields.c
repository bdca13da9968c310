// Fields of enumeration type.
#include <stdio.h>

enum color { RED, GREEN, BLUE, NONE };
struct s { enum color a : 2, b : 2; unsigned n : 4; };

int main(void) {
    struct s s = {BLUE, NONE, 9};
    printf("%d %d %d\n", s.a, s.b, s.n);
    s.a = s.b;
    s.b = GREEN;
    switch (s.a) {
    case NONE: printf("none\n"); break;
    default: printf("other\n");
    }
    printf("%d\n", s.b == GREEN);
    return s.a * 10 + s.b;
}
