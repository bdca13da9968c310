// Differences of labels in a table.
#include <stdio.h>

static int step(int which) {
    static const int offset[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    goto *(&&a + offset[which]);
a:
    return 10;
b:
    return 20;
c:
    return 30;
}

int main(void) {
    printf("%d %d %d\n", step(0), step(1), step(2));
    return step(1);
}
