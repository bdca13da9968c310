// strdup, strndup, stpcpy and friends.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = strdup("copy"), *b = strndup("shortened", 5);
    a[0] = 'C';
    printf("%s %s\n", a, b);
    char buffer[20], *end = stpcpy(buffer, "abc");
    stpcpy(end, "def");
    printf("%s %d\n", buffer, (int)(end - buffer));
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("ABx", "aby", 2));
    char *m = mempcpy(buffer, "xyz", 3);
    *m = 0;
    printf("%s\n", buffer);
    int r = (int)(strlen(a) + strlen(b));
    free(a);
    free(b);
    return r;
}
