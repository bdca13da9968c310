// fails: invalid-access 8
// gcc: stack-buffer-overflow
#include <string.h>

int main(void) {
    char small[4];
    strcpy(small, "abc");
    strcpy(small, "abcd");
    return small[0];
}
