// An object that is defined in one file and changed by another.
#include <stdio.h>

extern int counter;
extern const char *label;
void bump(int);

int main(void) {
    bump(3);
    counter += 10;
    bump(4);
    printf("%s %d\n", label, counter);
    return counter;
}
