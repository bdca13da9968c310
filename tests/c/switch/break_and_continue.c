// break leaves the switch, continue goes on with the loop around it.
#include <stdio.h>

int main(void) {
    int trace = 0;
    for (int i = 0; i < 8; i++) {
        switch (i & 3) {
        case 0:
            continue;
        case 1:
            trace += 1;
            break;
        case 2:
            while (1) {
                trace += 10;
                break;
            }
        case 3:
            if (i > 5)
                goto out;
            trace += 100;
        }
        trace += 1000;
    }
out:
    printf("%d\n", trace);
    return trace & 127;
}
