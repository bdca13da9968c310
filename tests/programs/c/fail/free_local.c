// loupe: run => error invalid-free 5:5
#include <stdlib.h>
int main(void) {
    int numbers[3];
    free(numbers);
}
