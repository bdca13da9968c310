// fails: overlapping-copy 8
// gcc: strcpy-param-overlap
#include <string.h>

int main(void) {
    char a[16] = "abcdef";
    strcpy(a + 8, a);
    strcpy(a + 3, a);
    return a[4];
}
