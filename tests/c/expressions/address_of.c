// & and * cancel, arrays and functions have addresses of their own type.
#include <stdio.h>

static int twice(int x) { return 2 * x; }

int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a;
    printf("%d\n", &a[0] == a);
    printf("%d\n", (void *)&a == (void *)a);
    printf("%zu %zu\n", sizeof(*&a), sizeof(*&p) == sizeof(p) ? sizeof(int) : 0);
    printf("%d\n", (int)((char *)(&a + 1) - (char *)a));
    printf("%d\n", &a[3] == a + 3);
    printf("%d\n", &*p == p);
    printf("%d\n", &twice == twice && *twice == twice && ***twice == &twice);
    printf("%d\n", (&twice)(4) + (*twice)(5) + (**twice)(6));
    int **pp = &p;
    ++*pp;
    printf("%d %d\n", *p, **pp);
    return **pp + a[2];
}
