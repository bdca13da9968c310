// strlen, strcpy, strcat, strcmp and their n-forms.
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char a[32] = "abc", b[8];
    printf("%zu %zu\n", strlen(a), strlen(""));
    strcat(a, "def");
    strncat(a, "ghijkl", 2);
    printf("%s\n", a);
    strncpy(b, "xy", 8);
    printf("%s %d\n", b, b[7]);
    strncpy(b, "too long for it", 7);
    b[7] = 0;
    printf("%s\n", b);
    printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"));
    printf("%d %d\n", sign(strcmp("ab", "a")), sign(strcmp("\xff", "a")));
    printf("%d %d\n", strncmp("abc", "abd", 2), sign(strncmp("abc", "abd", 3)));
    printf("%d\n", strncmp("ab\0x", "ab\0y", 4));
    return (int)strnlen(a, 5) + (strcpy(a, "q") == a);
}
