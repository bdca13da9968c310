// fails: invalid-access 9
// gcc: stack-buffer-overflow
#include <string.h>

int main(void) {
    char a[3] = {'a', 'b', 'c'};
    if (memchr(a, 'c', 3) == 0)
        return 1;
    return (int)strlen(a);
}
