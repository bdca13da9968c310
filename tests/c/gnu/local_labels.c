// Local labels in statement expressions, used in a macro twice.
#include <stdio.h>

#define FIND(array, n, value)         \
    ({                                \
        __label__ found;              \
        int i_;                       \
        for (i_ = 0; i_ < (n); i_++)  \
            if ((array)[i_] == value) \
                goto found;           \
        i_ = -1;                      \
    found:                            \
        i_;                           \
    })

int main(void) {
    int a[] = {4, 8, 15, 16};
    printf("%d %d %d\n", FIND(a, 4, 15), FIND(a, 4, 4), FIND(a, 4, 5));
    return FIND(a, 4, 16);
}
