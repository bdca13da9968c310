// An else belongs to the nearest if.
#include <stdio.h>

static int pick(int a, int b) {
    if (a)
        if (b)
            return 1;
        else
            return 2;
    if (a) {
        if (b)
            return 3;
    } else
        return 4;
    return 5;
}

int main(void) {
    printf("%d %d %d %d\n", pick(0, 0), pick(0, 1), pick(1, 0), pick(1, 1));
    if (pick(0, 0) == 4)
        ;
    else
        printf("never\n");
    return pick(1, 0);
}
