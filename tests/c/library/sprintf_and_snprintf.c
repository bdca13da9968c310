// Formatting into memory, cut and complete.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[32], b[6];
    int n = sprintf(a, "%d-%s", 12, "ab");
    printf("%s %d\n", a, n);
    n = snprintf(b, sizeof b, "%s", "truncated");
    printf("%s %d\n", b, n);
    n = snprintf(NULL, 0, "%05d", 42);
    printf("%d\n", n);
    n = snprintf(b, 1, "xyz");
    printf("%d %d\n", b[0], n);
    a[0] = 'Q';
    snprintf(a, 0, "untouched");
    printf("%c\n", a[0]);
    char *p = a;
    for (int i = 0; i < 4; i++)
        p += sprintf(p, "%x,", i * 5);
    return printf("%s %zu\n", a, strlen(a));
}
