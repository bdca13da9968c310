// fails: assertion 8
// gcc: Assertion
#include <assert.h>
#include <string.h>

int main(void) {
    assert(strchr("abc", 'b'));
    assert(strchr("abc", 'd'));
    return 0;
}
