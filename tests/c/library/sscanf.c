// Reading numbers, words, characters and sets from text.
#include <stdio.h>

int main(void) {
    int a, b, n;
    unsigned u;
    char word[16], set[16], c;
    n = sscanf("12 -34", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("ff 077 0x1A", "%x %o %i", &u, (unsigned *)&a, &b);
    printf("%d %u %d %d\n", n, u, a, b);
    n = sscanf("hello world", "%15s %c", word, &c);
    printf("%d %s %c\n", n, word, c);
    n = sscanf("123abc", "%2d%d%s", &a, &b, word);
    printf("%d %d %d %s\n", n, a, b, word);
    n = sscanf("key=value;", "%[a-z]=%[^;]", word, set);
    printf("%d %s %s\n", n, word, set);
    n = sscanf("5 apples", "%*d %s", word);
    printf("%d %s\n", n, word);
    n = sscanf("x", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("7,8", "%d,%d%n", &a, &b, (int *)&u);
    printf("%d %u\n", n, u);
    long long w;
    short h;
    n = sscanf("-9000000000 70000", "%lld %hd", &w, &h);
    printf("%d %lld %d\n", n, w, h);
    return a * 10 + b;
}
