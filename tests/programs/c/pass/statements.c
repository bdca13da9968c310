// loupe: cfg => ok
// loupe: run --pass-status => status 4
#include <stdio.h>

static int table[3] = {1, 2, 3};

int main(void) {
    int sum = 0, i;
    for (i = 0; i < 3; i++)
        sum += table[i] > 1 ? table[i] : 0;
    switch (sum) {
    case 5: puts("five"); break;
    default: printf("%d\n", sum);
    }
    do sum--; while (sum > 4 && i);
    return sum;
}
