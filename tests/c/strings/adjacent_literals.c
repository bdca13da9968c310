// Neighbouring literals are one; escapes end at the border.
#include <stdio.h>
#include <string.h>

#define VERSION "1." "5"

int main(void) {
    const char *s = "one " "two "
                    "three";
    printf("%s %zu\n", s, strlen(s));
    printf("%s\n", "v" VERSION "-" "x");
    printf("%zu %d %d\n", sizeof "\x1" "2", "\x1" "2"[0], ("\x1" "2")[1]);
    printf("%s\n", "a"
        /* comment */ "b" // more
        "c");
    printf("line \
continued\n");
    return (int)strlen("" "abc" "");
}
