// strtok cuts a string in pieces and remembers where it was.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[] = "  one,two;;three  ,four";
    int n = 0;
    for (char *t = strtok(text, " ,;"); t; t = strtok(NULL, " ,;"))
        printf("[%s]", t), n++;
    printf("\n");
    char a[] = "a-b", b[] = "c-d", *x, *y;
    char *p = strtok_r(a, "-", &x), *q = strtok_r(b, "-", &y);
    printf("%s %s ", p, q);
    p = strtok_r(NULL, "-", &x);
    q = strtok_r(NULL, "-", &y);
    printf("%s %s\n", p, q);
    return n;
}
