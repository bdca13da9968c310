// Constants of several characters and their types.
#include <stdio.h>

int main(void) {
    printf("%d %d\n", 'ab', 'abcd');
    printf("%zu %zu\n", sizeof 'a', sizeof 'ab');
    printf("%d %d %d\n", '\'', '"', '\\');
    printf("%d\n", 'z' - 'a');
    printf("%c%c%c\n", 'a' + 1, "xyz"[1], *"q");
    char c = 'a';
    c ^= ' ';
    printf("%c\n", c);
    return '0' + 5;
}
