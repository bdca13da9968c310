// A static local is initialised once and lives on.
#include <stdio.h>

static int count(void) {
    static int n = 5;
    static int *p = &n;
    (*p)++;
    return n;
}

static int other(void) {
    static int n;
    return n += 10;
}

int main(void) {
    printf("%d ", count());
    printf("%d ", other());
    printf("%d ", count());
    printf("%d\n", other());
    for (int i = 0; i < 3; i++) {
        static int n = 1;
        n *= 3;
        if (i == 2)
            printf("%d\n", n);
    }
    return count() + other();
}
