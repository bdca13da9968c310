// Structs as variadic arguments.
#include <stdarg.h>
#include <stdio.h>

struct small { char c; };
struct pair { int a, b; };
struct big { int cells[20]; };
struct real { double x; float y; };

static int collect(int n, ...) {
    va_list args;
    va_start(args, n);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        struct small s = va_arg(args, struct small);
        struct pair p = va_arg(args, struct pair);
        struct big b = va_arg(args, struct big);
        struct real r = va_arg(args, struct real);
        int k = va_arg(args, int);
        sum = sum * 7 + s.c + p.a * p.b + b.cells[19] + (int)(r.x * r.y) + k;
    }
    va_end(args);
    return sum;
}

int main(void) {
    struct big b = {{[19] = 500}};
    int r = collect(2, (struct small){'a'}, (struct pair){3, 4}, b, (struct real){1.5, 4}, 9, (struct small){'b'},
                    (struct pair){5, 6}, b, (struct real){2.5, 2}, 10);
    printf("%d\n", r);
    return r & 127;
}
