// Types, macros and inline functions in a header of the program.
#include "shape.h"
#include <stdio.h>

int main(void) {
    struct shape s = square(4);
    grow(&s, 2);
    printf("%d %d %s\n", area(s), s.kind == SQUARE, NAME);
    return area(s);
}
