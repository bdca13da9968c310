// div, ldiv, lldiv and the absolute values.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    div_t d = div(-17, 5);
    lldiv_t w = lldiv(10000000000LL, -7);
    ldiv_t l = ldiv(17, -5);
    printf("%d %d %lld %lld %ld %ld\n", d.quot, d.rem, w.quot, w.rem, l.quot, l.rem);
    printf("%d %ld %lld\n", abs(-3), labs(-4L), llabs(-5LL));
    return div(100, 7).rem + abs(d.quot);
}
