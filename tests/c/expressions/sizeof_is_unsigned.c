// sizeof gives an unsigned type, so comparisons with negative numbers surprise.
#include <stdio.h>

int main(void) {
    int minus = -1;
    char a[4];
    printf("%d\n", minus < sizeof(int));
    printf("%d\n", minus < (int)sizeof(int));
    printf("%d\n", sizeof a - 5 > 0);
    printf("%d\n", (int)(sizeof a - 5));
    int n = 0;
    for (int i = -3; i < (int)sizeof a; i++)
        n++;
    printf("%d\n", n);
    return minus > sizeof a ? 3 : 4;
}
