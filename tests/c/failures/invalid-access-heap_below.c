// fails: invalid-access 10
// gcc: heap-buffer-overflow
#include <stdlib.h>

int main(void) {
    char *a = calloc(4, 1);
    char *p = a + 3;
    int sum = 0;
    while (p >= a || sum == 0)
        sum += *p--;
    return sum;
}
