// loupe: run => error invalid-call 5:5
#include <stdio.h>

int main(void) {
    printf("%d %d\n", 1);
    return 0;
}
