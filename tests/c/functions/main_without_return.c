// The end of main returns 0.
#include <stdio.h>

int main(void) {
    printf("bye\n");
}
