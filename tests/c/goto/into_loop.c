// A jump into the middle of loops.
#include <stdio.h>

int main(void) {
    int i = 5, n = 0;
    goto in_for;
    for (i = 0; i < 8; i++) {
        n += 100;
    in_for:
        n += 1;
    }
    printf("%d %d\n", i, n);
    goto in_while;
    while (i < 10) {
        n += 1000;
    in_while:
        i++;
    }
    printf("%d %d\n", i, n);
    int k = 2;
    goto in_do;
    do {
        n += 5;
    in_do:
        k--;
    } while (k > 0);
    printf("%d %d\n", k, n);
    return n & 127;
}
