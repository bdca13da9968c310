// fails: overlapping-copy 10
// gcc: memcpy-param-overlap
#include <string.h>

int main(void) {
    char a[] = "overlapping";
    int n = 4;
    memcpy(a + 4, a, n);
    n++;
    memcpy(a + 4, a, n);
    return a[5];
}
