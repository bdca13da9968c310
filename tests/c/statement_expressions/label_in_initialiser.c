// A statement expression in an initialiser has labels of the function.
#include <stdio.h>

int count(int x) {
    int y = ({
    again:
        x--;
        if (x > 3)
            goto again;
        x;
    });
    return y;
}

int leave(int x) {
    int y = ({
        if (x)
            goto out;
        5;
    });
    return y;
out:
    return 9;
}

int main(void) {
    printf("%d %d %d\n", count(9), leave(0), leave(1));
    return 0;
}
