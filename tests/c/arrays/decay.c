// An array becomes a pointer, except below sizeof, & and in initialisers.
#include <stdio.h>

static int size_of_parameter(char a[100]) { return sizeof a == sizeof(char *); }

int main(void) {
    char a[100] = "text";
    char *p = a;
    printf("%zu %d\n", sizeof a, size_of_parameter(a));
    printf("%zu %zu\n", sizeof "text", sizeof(a + 0) == sizeof p ? 1ul : 0ul);
    printf("%d\n", (void *)&a == (void *)p);
    printf("%zu\n", sizeof *&a);
    printf("%zu\n", sizeof(0, a) == sizeof(char *) ? 7ul : 0ul);
    printf("%c %c\n", *a, 1 [a]);
    printf("%d\n", a == &a[0]);
    return (int)(sizeof a / sizeof a[0]);
}
