// Counting queens with backtracking.
#include <stdio.h>

static int n, solutions, column[8];

static void place(int row) {
    if (row == n) {
        solutions++;
        return;
    }
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++) {
            int d = column[r] - c;
            ok = d && d != row - r && d != r - row;
        }
        if (ok) {
            column[row] = c;
            place(row + 1);
        }
    }
}

int main(void) {
    for (n = 1; n <= 6; n++) {
        solutions = 0;
        place(0);
        printf("%d ", solutions);
    }
    printf("\n");
    return solutions + 40;
}
