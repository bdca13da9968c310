// EOF, NULL, BUFSIZ and their like can be used.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %d\n", EOF, NULL == 0, MB_LEN_MAX >= 1);
    printf("%d %d\n", WCHAR_MAX > 0, (int)(INT32_MAX == INT_MAX));
    printf("%d %d\n", (size_t)-1 == SIZE_MAX, PTRDIFF_MAX > 0);
    printf("%d\n", BUFSIZ > 0);
    return EXIT_SUCCESS;
}
