// The switched expression is evaluated once.
#include <stdio.h>

static int calls;

static int next(void) { return ++calls; }

int main(void) {
    int r = 0;
    for (int k = 0; k < 5; k++)
        switch (next()) {
        case 5: r += 5; break;
        case 1: r += 1;
        case 2: r += 2; break;
        case 3 + 1: r += 4; break;
        }
    int i = 3;
    switch (i++) {
    case 3: r += 100 * i; break;
    case 4: r += 1000;
    }
    printf("%d %d %d\n", r, calls, i);
    return r & 127;
}
