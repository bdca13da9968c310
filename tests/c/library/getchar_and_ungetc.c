// Reading characters until the end of the input.
#include <stdio.h>

int main(void) {
    int c, lines = 0, letters = 0, digits = 0;
    c = getchar();
    printf("%c\n", c);
    ungetc(c, stdin);
    while ((c = getchar()) != EOF) {
        lines += c == '\n';
        letters += c >= 'a' && c <= 'z';
        digits += c >= '0' && c <= '9';
    }
    printf("%d %d %d %d\n", lines, letters, digits, c);
    printf("%d %d\n", getchar(), feof(stdin) != 0);
    return letters;
}
