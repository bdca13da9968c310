// A label, a variable, a tag, a member and a macro argument may share a name.
#include <stdio.h>

struct here { int here; };

int main(void) {
    struct here here = {0};
    goto here;
    here.here = 100;
here:
    here.here++;
    if (here.here < 3)
        goto here;
    printf("%d\n", here.here);
    return here.here;
}
