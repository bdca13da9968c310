// Literals are arrays that can be indexed, subtracted and passed.
#include <stdio.h>

static char hex(int n) { return "0123456789abcdef"[n & 15]; }

int main(void) {
    printf("%c %c %c\n", hex(10), 3 ["abcd"], *("xyz" + 2));
    unsigned v = 0xdeadbeef;
    for (int i = 28; i >= 0; i -= 4)
        printf("%c", hex((int)(v >> i)));
    printf("\n");
    printf("%zu\n", sizeof("12345") - 1);
    printf("%s\n", &"skip this"[5]);
    printf("%s\n", 1 ? "yes" : "no");
    const char *p = "abc";
    int sum = 0;
    while (*p)
        sum = sum * 2 + *p++ - 'a';
    return sum;
}
