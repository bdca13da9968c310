// Wide literals and their elements.
#include <stddef.h>
#include <stdio.h>

int main(void) {
    const wchar_t *w = L"wide\x263a";
    int n = 0;
    while (w[n])
        n++;
    printf("%d %d %zu\n", n, w[4] == 0x263a, sizeof(wchar_t));
    printf("%d %d\n", L'a', L'\xff' > 0);
    wchar_t a[] = L"ab" L"c";
    printf("%zu %d\n", sizeof a / sizeof *a, a[2]);
    unsigned short u[] = u"xy";
    unsigned v[] = U"z\U0001F600";
    printf("%zu %d %zu %x\n", sizeof u, u[1], sizeof v / sizeof *v, v[1]);
    printf("%zu %d\n", sizeof u8"\u00e9", (unsigned char)u8"\u00e9"[0]);
    return n;
}
