// Cases in ifs, blocks and loops below the switch.
#include <stdio.h>

static int f(int x, int y) {
    int r = 0;
    switch (x) {
        if (y) {
        case 1: r += 1;
        } else {
        case 2: r += 2;
        }
        r += 10;
        break;
        for (; r < 50; r += 7) {
        case 3: r += 3;
            if (r > 30)
                break;
        }
        r += 100;
        break;
        {
            {
            case 4:;
                int local = 5;
                r += local;
            }
        default: r += 200;
        }
    }
    return r;
}

int main(void) {
    int sum = 0;
    for (int i = 1; i <= 5; i++) {
        printf("%d %d\n", f(i, 0), f(i, 1));
        sum += f(i, 1);
    }
    return sum & 127;
}
