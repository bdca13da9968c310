// __VA_ARGS__, also empty, with the GNU comma and named forms.
#include <stdio.h>

#define LOG(format, ...) printf("[" format "]\n", ##__VA_ARGS__)
#define SHOW(...) #__VA_ARGS__
#define NAMED(format, args...) printf(format, args)
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, e, n, ...) n
#define FIRST(x, ...) x
#define REST(x, ...) __VA_ARGS__
#define OPT(x, ...) (x __VA_OPT__(+) __VA_ARGS__)

int main(void) {
    LOG("plain");
    LOG("%d and %d", 1, 2);
    NAMED("%s %c\n", "text", 'c');
    printf("%s\n", SHOW(a, b , (c, d)));
    printf("%d %d %d\n", COUNT(x), COUNT(x, y, z), COUNT((1, 2), 3));
    printf("%d\n", FIRST(REST(1, 2, 3)));
    printf("%d %d\n", OPT(4), OPT(4, 5));
    return COUNT(a, b, c, d);
}
