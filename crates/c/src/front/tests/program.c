#include <stdarg.h>
#include <stddef.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIST(X) X(one) X(two) X(three)
#define DECLARE(name) int name##_value = sizeof #name;
#if defined(__LP64__) && MAX(1, 2) == 2
LIST(DECLARE)
#elif 0
#error never
#endif
typedef struct node { struct node *next; union { int i; float f; }; unsigned flags : 5, kind : 3; } node;
enum color { RED = 1, GREEN, BLUE = RED << 4 };
static const char *const names[] = { [RED] = "red", "green", [BLUE] = "bl" "ue" };
extern int printf(const char *, ...);
static inline node *push(node *list, int value) {
    node *item = &(node){ .next = list, .i = value, .kind = 3 };
    return item;
}
int sum(int count, ...) {
    va_list args;
    int total = 0;
    va_start(args, count);
    while (count-- > 0) total += va_arg(args, int);
    va_end(args);
    return total;
}
int old(a, b) char a; int *b; { return a + b[0]; }
int matrix(int n, int m[n][n]) {
    int v[n], *p = v + 1;
    for (int i = 0; i < n; i++) {
        v[i] = m[i][n - i - 1] ?: -1;
        if (v[i] > 3 && p - v == 1) continue;
        else if (!v[i]) break;
    }
    do { n--; } while (n > 0);
    switch (n) {
    case 1: case 2 ... 4: return sizeof v / sizeof *v;
    default: goto out;
    }
    __asm__ volatile("nop" ::: "memory");
out:
    return _Generic(n, int: 1, long: 2) + ({ int t = n; t * 2; });
}
double f(double x, long double y) { return (x * 2.5e3 + 'a' - 0x1p3) / (y ? y : 1.0L); }
int (*table[2])(int, ...) = { sum, 0 };
_Static_assert(sizeof(node) >= 8, "layout");
int main(int argc, char **argv) {
    node *list = NULL;
    unsigned long long big = 0xffffffffffULL >> argc;
    list = push(list, argc);
    list->flags |= 1u << 2;
    printf("%d %s\n", (*table[0])(2, 1, 2), names[argc & 1]);
    return list->flags ? (int)big : MAX(old('x', &argc), argv[0][0]);
}
