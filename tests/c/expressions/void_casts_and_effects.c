// Values may be thrown away; effects stay.
#include <stdio.h>

static int n;

static int bump(void) { return ++n; }

int main(void) {
    (void)bump();
    bump();
    (void)(bump() + bump());
    n ? (void)bump() : (void)0;
    1 ? bump() : 0;
    bump(), bump();
    n == 8 && bump();
    n == 8 || bump();
    n + 1;
    ;
    printf("%d\n", n);
    return n;
}
