// The operand of sizeof is only looked at for its type.
#include <stdio.h>

static int calls;

static short count(void) {
    calls++;
    return 1;
}

int main(void) {
    int i = 1;
    char a[10];
    int *p = 0;
    printf("%zu\n", sizeof(i++));
    printf("%zu\n", sizeof(count()));
    printf("%zu\n", sizeof *p);
    printf("%zu\n", sizeof(a[100]));
    printf("%zu\n", sizeof a + sizeof(int));
    printf("%zu\n", sizeof(i = 'a', (char)i));
    printf("%zu\n", sizeof 'a');
    printf("%zu %zu\n", sizeof(char), sizeof((char)1 + (char)1));
    printf("%d %d\n", i, calls);
    return (int)sizeof(a);
}
