// A variable of a loop body is a new one in every turn.
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int fresh = 10;
        fresh += i;
        sum += fresh;
        static int kept = 0;
        kept += i;
        sum += kept * 100;
    }
    printf("%d\n", sum);
    int n = 3;
    while (n) {
        int a[2] = {n};
        a[1] += a[0];
        sum += a[1];
        n--;
    }
    printf("%d\n", sum);
    return sum & 127;
}
