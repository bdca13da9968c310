// _Generic chooses by the type of a value, after the array has decayed.
#include <stdio.h>

#define NAME(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
    int: "int", unsigned: "uint", long: "long", long long: "llong", float: "float", double: "double",           \
    char *: "string", const char *: "cstring", int *: "pointer", int (*)(int): "function", default: "other")

static int f(int x) { return x; }

int main(void) {
    char c = 0;
    const int k = 1;
    short s = 0;
    int a[3], n = 0;
    struct { int b : 3; } bits = {0};
    printf("%s %s %s %s %s\n", NAME(c), NAME('c'), NAME(c + c), NAME((_Bool)1), NAME(+s));
    printf("%s %s %s %s\n", NAME(k), NAME(a), NAME("text"), NAME((const char *)0));
    printf("%s %s %s %s\n", NAME(1.0f), NAME(1.0), NAME(f), NAME(&n));
    printf("%s %s %s\n", NAME(bits.b + 0), NAME(1 ? 1 : 1u), NAME((struct { int x; }){1}));
    printf("%s %s\n", NAME(1L), NAME(c ? 1LL : 1));
    return _Generic(n++, int: 5, default: 6) + n;
}
