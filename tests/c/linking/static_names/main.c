// Static objects and functions of the same name in two files are different.
#include <stdio.h>

static int value = 1;
static int get(void) { return value; }
int other_get(void);
void other_set(int);

int main(void) {
    other_set(40);
    value += 5;
    printf("%d %d\n", get(), other_get());
    return get() + other_get();
}
