// __COUNTER__ counts, and names made of it differ.
#include <stdio.h>

#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define UNIQUE XCAT(name_, __COUNTER__)

int main(void) {
    int first = __COUNTER__;
    int UNIQUE = 5, UNIQUE = 6;
    printf("%d %d\n", name_1, name_2);
    int a = __COUNTER__, b = __COUNTER__;
    printf("%d %d %d\n", first, a, b);
    return b * 10;
}
