// Strings that grow.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    char *r = malloc(n + m + 1);
    memcpy(r, a, n);
    memcpy(r + n, b, m + 1);
    return r;
}

int main(void) {
    char *s = join("", "");
    for (int i = 0; i < 5; i++) {
        char piece[2] = {(char)('a' + i), 0};
        char *t = join(s, piece), *u = join(t, t);
        free(s);
        free(t);
        s = u;
    }
    printf("%s %zu\n", s, strlen(s));
    char *copy = strdup(s + 40);
    int r = (int)strlen(copy);
    free(copy);
    free(s);
    return r;
}
