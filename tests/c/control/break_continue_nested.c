// break and continue belong to the innermost loop.
#include <stdio.h>

int main(void) {
    int trace = 0;
    for (int i = 0; i < 5; i++) {
        if (i == 1)
            continue;
        for (int j = 0;; j++) {
            if (j == 2)
                continue;
            if (j > i)
                break;
            trace = trace * 3 + i + j;
        }
        int k = i;
        while (k) {
            k--;
            do {
                if (k == 2)
                    break;
                trace++;
            } while (0);
        }
        if (i == 3)
            break;
    }
    printf("%d\n", trace);
    return trace & 127;
}
