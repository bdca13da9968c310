// The last member has as many elements as memory was asked for.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { int length; char data[]; };

static struct text *make(const char *s) {
    int n = (int)strlen(s);
    struct text *t = malloc(sizeof *t + (size_t)n + 1);
    t->length = n;
    memcpy(t->data, s, (size_t)n + 1);
    return t;
}

static struct text fixed = {3, {'a', 'b', 'c'}};

int main(void) {
    printf("%zu %zu\n", sizeof(struct text), offsetof(struct text, data));
    struct text *t = make("flexible");
    printf("%d %s\n", t->length, t->data);
    printf("%d %.3s\n", fixed.length, fixed.data);
    int r = t->data[t->length - 1];
    free(t);
    return r;
}
