// sizeof(void) and of functions is 1; pointers to them step by 1.
#include <stdio.h>

static int f(void) { return 4; }

int main(void) {
    char a[4] = {1, 2, 3, 4};
    void *p = a;
    p++;
    p += 1;
    printf("%d %zu %zu\n", *(char *)p, sizeof(void), sizeof f);
    printf("%d\n", (int)((p + 1) - (void *)a));
    return f() + *(char *)p;
}
