// fails: invalid-access 6
#include <string.h>

int main(void) {
    char a[4] = "abc", b[8] = "xyzw";
    return memcmp(a, b, 8) == 0;
}
