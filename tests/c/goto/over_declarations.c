// Jumping over declarations, and back in front of them: the initialiser runs again.
#include <stdio.h>

int main(void) {
    int turns = 0, sum = 0;
again:;
    int x = 10;
    x += turns;
    sum += x;
    if (++turns < 3)
        goto again;
    printf("%d %d\n", x, sum);
    if (turns == 3)
        goto skip;
    int y;
    sum = 0;
skip:
    y = 4;
    sum += y;
    printf("%d\n", sum);
    return sum;
}
