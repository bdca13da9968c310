// std: gnu89
// Definitions with a list of declarations, and arguments that promote.
#include <stdio.h>

int add(a, b)
    int a;
    int b;
{
    return a + b;
}

int narrow(c, s, f)
    char c;
    short s;
    float f;
{
    return c + s + (int)(f * 2);
}

char *pick(list, n)
    char **list;
    int n;
{
    return list[n];
}

int main() {
    static char *words[] = {"zero", "one", "two"};
    printf("%d\n", add(2, 3));
    printf("%d\n", narrow((char)300, (short)70000, 2.5f));
    printf("%s\n", pick(words, 2));
    return add(20, narrow(1, 1, 0.5));
}
