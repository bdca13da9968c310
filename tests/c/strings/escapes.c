// All escape sequences.
#include <stdio.h>

int main(void) {
    const char *s = "\a\b\f\n\r\t\v\\\'\"\?\0\x41\101\e";
    int n = 0;
    for (int i = 0; i < 15; i++)
        printf("%d ", s[i]), n += s[i];
    printf("\n");
    printf("%d %d %d\n", '\0', '\x7f', '\177');
    printf("%d\n", "\1234"[1]);
    printf("%d %d\n", (int)sizeof "\x1\x2", (int)sizeof "\08");
    printf("%s\n", "tab\there \"quoted\" back\\slash");
    return n & 127;
}
