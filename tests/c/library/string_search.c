// strchr, strrchr, strstr, strspn, strcspn, strpbrk.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *s = "hello, world";
    printf("%d %d\n", (int)(strchr(s, 'o') - s), (int)(strrchr(s, 'o') - s));
    printf("%d %d\n", strchr(s, 'z') == 0, (int)(strchr(s, 0) - s));
    printf("%s\n", strstr(s, "lo"));
    printf("%d %d\n", strstr(s, "low") == 0, strstr(s, "") == s);
    printf("%zu %zu\n", strspn(s, "ehl"), strcspn(s, " ,"));
    printf("%s\n", strpbrk(s, "xw,"));
    printf("%d\n", (int)((char *)memchr(s, 'w', 12) - s));
    printf("%d\n", memchr(s, 'w', 5) == 0);
    return (int)strspn("aaab", "a");
}
