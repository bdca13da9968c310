// A loop made of gotos.
#include <stdio.h>

int main(void) {
    int i = 0, sum = 0;
again:
    sum += i;
    if (++i < 10)
        goto again;
    printf("%d %d\n", i, sum);
    int j = 3;
outer:
    i = 0;
inner:
    if (i < j) {
        i++;
        sum++;
        goto inner;
    }
    if (--j)
        goto outer;
    printf("%d\n", sum);
    return sum;
}
