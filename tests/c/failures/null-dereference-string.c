// fails: null-dereference 9
// gcc: null pointer passed
#include <string.h>

int main(void) {
    const char *s = "abc";
    int n = (int)strlen(s);
    s = strchr(s, 'x');
    return n + (int)strlen(s);
}
