// Labels are values that can be stored, compared and chosen.
#include <stdio.h>

static int f(int n) {
    void *where = n > 0 ? &&positive : n < 0 ? &&negative : &&zero;
    int r = where == &&zero ? 1000 : 0;
    goto *where;
positive:
    r += 1;
    where = &&done;
    goto *where;
negative:
    r += 2;
zero:
    r += 4;
done:
    return r;
}

int main(void) {
    printf("%d %d %d\n", f(5), f(-5), f(0));
    return f(1) + f(-1);
}
