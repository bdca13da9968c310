// u8, u and U literals and universal character names.
#include <stdio.h>
#include <string.h>
#include <uchar.h>

int main(void) {
    const char *s = u8"caf\u00e9";
    printf("%zu %d %d\n", strlen(s), (unsigned char)s[3], (unsigned char)s[4]);
    char16_t a[] = u"\u20ac";
    char32_t b[] = U"\U0001f600";
    printf("%zu %d %zu %d\n", sizeof a, a[0] == 0x20ac, sizeof b, b[0] == 0x1f600);
    char16_t pair[] = u"\U0001f600";
    printf("%zu %x %x\n", sizeof pair / 2, pair[0], pair[1]);
    printf("%d %d\n", u'\u00ff', U'\u00ff' > 0);
    int \u00e4 = 5;
    return \u00e4 + (int)strlen("\u00fc");
}
