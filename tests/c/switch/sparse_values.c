// Cases far apart, in no order.
#include <limits.h>
#include <stdio.h>

static int f(int x) {
    switch (x) {
    case INT_MAX: return 1;
    case 1000000: return 2;
    case INT_MIN: return 3;
    case 0: return 4;
    case -1000000: return 5;
    case 'A': return 6;
    case 1 << 20: return 7;
    }
    return 0;
}

int main(void) {
    int v[] = {INT_MIN, -1000000, -1, 0, 1, 65, 1000000, 1048576, INT_MAX};
    int sum = 0;
    for (int i = 0; i < 9; i++)
        printf("%d", f(v[i])), sum = sum * 2 + f(v[i]);
    printf("\n");
    return sum & 127;
}
