// *p++, (*p)++, *++p and ++*p.
#include <stdio.h>

int main(void) {
    int a[] = {10, 20, 30, 40, 50};
    int *p = a;
    printf("%d ", *p++);
    printf("%d ", (*p)++);
    printf("%d ", *++p);
    printf("%d ", ++*p);
    printf("%d ", *p--);
    printf("%d ", --*p);
    printf("%d\n", (int)(p - a));
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    printf("\n");
    char s[] = "abc", *q = s;
    while (*q)
        *q++ -= 32;
    printf("%s\n", s);
    return *p;
}
