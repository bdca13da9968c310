// fails: assertion 10
// gcc: Assertion
#include <assert.h>

int main(void) {
    unsigned char c = 250;
    for (int i = 0; i < 10; i++) {
        unsigned char old = c;
        c++;
        assert(c > old);
    }
    return 0;
}
