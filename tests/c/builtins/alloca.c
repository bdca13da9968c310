// Memory that lives until the function returns.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int f(int n) {
    char *all = alloca((unsigned)n + 1);
    for (int i = 0; i < n; i++) {
        int *cell = __builtin_alloca(sizeof *cell);
        *cell = i;
        all[i] = (char)('a' + *cell);
    }
    all[n] = 0;
    printf("%s\n", all);
    return (int)strlen(all);
}

int main(void) {
    int n = f(3);
    return n * 10 + f(5);
}
