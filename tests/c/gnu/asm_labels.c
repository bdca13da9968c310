// asm labels name the symbol of a declaration.
#include <stdio.h>

static int twice(int x) __asm__("twice_in_the_object_file");
static int twice(int x) { return x * 2; }

int main(void) {
    register int r = 5;
    printf("%d\n", twice(r));
    return twice(21);
}
