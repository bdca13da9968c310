// Text that looks like comments and directives inside of literals.
#include <stdio.h>

int main(void) {
    printf("%s\n", "/* not a comment */ // nor this");
    printf("%s\n", "#define X \"y\"");
    printf("%c%c\n", '/', '*');
    printf("%s\n", "a\\" "nb");
    printf("%s\n", "100%% \x25");
    return "\\"[0] /* comment with "quotes" */ + 1;
}
