// loupe: run => error assertion 7:5
#include <assert.h>
#include <stdio.h>

int main(void) {
    printf("before\n");
    assert(1 + 1 == 3 && "arithmetic");
    return 0;
}
