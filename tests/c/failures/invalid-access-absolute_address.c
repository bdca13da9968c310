// fails: invalid-access 10
// gcc: SEGV
#include <stdint.h>

int main(void) {
    int x = 3;
    int *p = (int *)(intptr_t)&x;
    x = *p;
    p = (int *)(intptr_t)64;
    return *p;
}
