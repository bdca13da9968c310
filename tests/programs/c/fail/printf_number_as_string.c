// loupe: run => error invalid-access 5:5
#include <stdio.h>

int main(void) {
    printf("%s\n", (char *)1234);
    return 0;
}
