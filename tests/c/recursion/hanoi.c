// Towers with real moves.
#include <stdio.h>

static int pegs[3][8], height[3], moves;

static void move(int n, int from, int to) {
    if (!n)
        return;
    int over = 3 - from - to;
    move(n - 1, from, over);
    pegs[to][height[to]++] = pegs[from][--height[from]];
    moves++;
    move(n - 1, over, to);
}

int main(void) {
    for (int i = 0; i < 6; i++)
        pegs[0][height[0]++] = 6 - i;
    move(6, 0, 2);
    for (int i = 0; i < 6; i++)
        printf("%d ", pegs[2][i]);
    printf("%d\n", moves);
    return moves;
}
