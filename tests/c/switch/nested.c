// A switch within a switch has its own cases and breaks.
#include <stdio.h>

static int f(int a, int b) {
    int r = 0;
    switch (a) {
    case 0:
        switch (b) {
        case 0: r = 1; break;
        case 1: r = 2;
        default: r += 5;
        }
        r *= 10;
    case 1:
        r += 3;
        switch (b)
        case 1:
            r += 1000;
        break;
    case 2:
        switch (b) {
        case 2: return 77;
        }
    default: r -= 1;
    }
    return r;
}

int main(void) {
    int sum = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) {
            printf("%d ", f(a, b));
            sum += f(a, b);
        }
    printf("\n");
    return sum & 127;
}
