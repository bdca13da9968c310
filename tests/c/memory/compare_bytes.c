// memcmp compares unsigned bytes and looks past zeros.
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    printf("%d\n", sign(memcmp("a\x80", "a\x7f", 2)));
    printf("%d\n", sign(memcmp("ab\0c", "ab\0d", 4)));
    printf("%d\n", sign(memcmp("abc", "abd", 2)));
    printf("%d\n", memcmp("x", "y", 0));
    int a = 256, b = 1;
    printf("%d\n", sign(memcmp(&a, &b, sizeof a)));
    int m[2] = {1, -1}, n[2] = {1, -1};
    printf("%d\n", memcmp(m, n, sizeof m));
    return sign(memcmp("b", "a", 1)) + 5;
}
