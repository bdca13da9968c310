// Copying and searching with bare pointers.
#include <stdio.h>

static char *copy(char *to, const char *from) {
    char *start = to;
    while ((*to++ = *from++))
        ;
    return start;
}

static const char *find(const char *s, const char *what) {
    for (; *s; s++) {
        const char *a = s, *b = what;
        while (*b && *a == *b)
            a++, b++;
        if (!*b)
            return s;
    }
    return 0;
}

int main(void) {
    char buffer[32];
    const char *text = "needle in a haystack";
    printf("%s\n", copy(buffer, text));
    printf("%d\n", (int)(find(text, "hay") - text));
    printf("%d\n", find(text, "hey") == 0);
    printf("%s\n", find(text, "in"));
    return (int)(find(text, "") - text) + buffer[3];
}
