// Names inside hide those outside and end with the expression.
#include <stdio.h>

int main(void) {
    int x = 1;
    int r = ({
        int x = 10;
        int y = ({ int x = 100; x += 5; x; });
        x += y;
        x;
    });
    printf("%d %d\n", x, r);
    r += ({ int a[3] = {1, 2, 3}; int s = 0; for (int i = 0; i < 3; i++) s += a[i]; s; });
    r += ({ typedef short x; (int)sizeof(x); });
    printf("%d\n", r);
    return r;
}
