// Standard headers may be included twice and in any order.
#include <string.h>
#include <stdio.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#define HEADER <stdlib.h>
#include HEADER

#if __has_include(<stdint.h>) && !__has_include("no_such_file.h")
#include <stdint.h>
#endif

int main(void) {
    int32_t n = (int32_t)strlen("abc");
    printf("%d %d\n", n, abs(-4));
    return (int)(offsetof(struct { char c[3]; char d; }, d)) + n;
}
