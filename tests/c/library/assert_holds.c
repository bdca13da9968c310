// Assertions that hold do nothing; NDEBUG removes even the expression.
#include <assert.h>
#include <stdio.h>

static int n;

static int checked(void) {
    assert(n++ >= 0);
    return n;
}

#undef assert
#define NDEBUG
#include <assert.h>

static int unchecked(void) {
    assert(n++ < 0);
    return n;
}

int main(void) {
    printf("%d ", checked());
    printf("%d\n", unchecked());
    static_assert(sizeof(int) == 4, "int");
    return n;
}
