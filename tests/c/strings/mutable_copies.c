// An array initialised from a literal is a copy of its own in every call.
#include <stdio.h>

static int change(int i) {
    char text[] = "abcdef";
    text[i] = 'X';
    int n = 0;
    for (char *p = text; *p; p++)
        n = n * 2 + (*p == 'X');
    printf("%s ", text);
    return n;
}

int main(void) {
    int n = change(0);
    n += change(3);
    n += change(5);
    printf("%d\n", n);
    static char kept[] = "012";
    kept[1]++;
    printf("%s\n", kept);
    return n;
}
