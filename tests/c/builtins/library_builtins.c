// Functions of the library under their builtin names.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[10];
    strcpy(a, "builtin");
    printf("%d\n", (int)__builtin_strlen("four"));
    printf("%s\n", (char *)__builtin_memcpy(a, "BUILT", 5));
    printf("%d\n", __builtin_memcmp("a", "b", 1) < 0);
    __builtin_memset(a, 'x', 3);
    printf("%s %d\n", a, __builtin_strcmp(a, "xxxLTin") == 0);
    printf("%d %d\n", __builtin_abs(-4), (int)__builtin_labs(-5L));
    __builtin_printf("%s\n", __builtin_strchr(a, 'L'));
    return (int)__builtin_strlen(a);
}
