// loupe: run => error invalid-access 6:5
#include <stdio.h>

int main(void) {
    char name[3] = {'a', 'b', 'c'};
    printf("%s\n", name);
    return 0;
}
