// Macros that every compilation has.
#include <stdio.h>

int main(void) {
    printf("%d %d\n", __STDC__, __STDC_VERSION__ >= 199901L);
    printf("%d %d %d\n", __CHAR_BIT__, __SIZEOF_INT__, __SIZEOF_SHORT__);
    printf("%d %d\n", __INT_MAX__, __SCHAR_MAX__);
    printf("%d\n", __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    printf("%zu\n", sizeof(__DATE__) + sizeof(__TIME__));
#ifdef __GNUC__
    printf("gnu\n");
#endif
#ifdef __linux__
    printf("linux\n");
#endif
    return __CHAR_BIT__;
}
