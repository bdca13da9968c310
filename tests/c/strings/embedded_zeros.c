// A literal with zeros inside is longer than strlen says.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "ab\0cd\0";
    printf("%zu %zu\n", sizeof a, strlen(a));
    printf("%s %s %d\n", a, a + 3, a[6]);
    const char *list = "one\0two\0three\0";
    int n = 0;
    for (const char *p = list; *p; p += strlen(p) + 1)
        printf("%s,", p), n++;
    printf("\n");
    printf("%d\n", memcmp("x\0y", "x\0z", 3) < 0);
    return n;
}
