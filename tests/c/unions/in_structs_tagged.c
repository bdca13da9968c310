// Variants with a tag.
#include <stdio.h>

struct value {
    enum { INT, TEXT, PAIR } kind;
    union {
        int i;
        const char *text;
        struct { short a, b; } pair;
    } as;
};

static int show(const struct value *v) {
    switch (v->kind) {
    case INT: return printf("%d\n", v->as.i);
    case TEXT: return printf("%s\n", v->as.text);
    case PAIR: return printf("%d,%d\n", v->as.pair.a, v->as.pair.b);
    }
    return 0;
}

int main(void) {
    struct value v[] = {{INT, {5}}, {TEXT, {.text = "five"}}, {PAIR, {.pair = {-1, 1}}}};
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += show(&v[i]);
    v[0] = v[2];
    v[2].as.pair.a = 9;
    n += show(v);
    return n;
}
