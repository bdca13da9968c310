// Reversal, rotation and comparison in place.
#include <stdio.h>
#include <string.h>

static void reverse(char *a, char *b) {
    while (a < --b) {
        char t = *a;
        *a++ = *b;
        *b = t;
    }
}

int main(void) {
    char s[] = "abcdefgh";
    int n = (int)strlen(s), k = 3;
    reverse(s, s + k);
    reverse(s + k, s + n);
    reverse(s, s + n);
    printf("%s\n", s);
    char p[] = "step on no pets";
    int ok = 1;
    for (int i = 0, j = (int)strlen(p) - 1; i < j; i++, j--)
        ok &= p[i] == p[j];
    printf("%d\n", ok);
    return s[0];
}
