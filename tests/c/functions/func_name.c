// __func__ is the name of the function that encloses it.
#include <stdio.h>

static const char *inner(void) { return __func__; }
static int length(void) { return sizeof(__func__); }

int main(void) {
    printf("%s %s %s\n", __func__, inner(), __FUNCTION__);
    printf("%d\n", length());
    return inner()[0];
}
