// memcpy, memmove, memset, memchr, memcmp and their results.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[16], b[16];
    printf("%d\n", memset(a, 'a', 15) == a);
    a[15] = 0;
    printf("%d\n", memcpy(b, a, 16) == b);
    memmove(b + 1, "xyz", 3);
    printf("%s %s\n", a, b);
    printf("%d %d\n", memcmp(a, b, 1), memcmp(a, b, 2) < 0);
    memset(b + 5, 0, 1);
    printf("%zu\n", strlen(b));
    memcpy(b, a, 0);
    printf("%s\n", b);
    return (int)((char *)memchr(b, 'z', 16) - b);
}
