// Two names of one function and of one object.
#include <stdio.h>

int real(int x) { return x * 2; }
int other(int x) __attribute__((alias("real")));
int value = 5;
extern int same __attribute__((alias("value")));

int main(void) {
    printf("%d %d\n", other(4), real == other);
    same += 2;
    printf("%d %d\n", value, &value == &same);
    return other(value);
}
