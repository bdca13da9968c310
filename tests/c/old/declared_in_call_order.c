// std: gnu89
// Parameters declared in another order than they are listed.
#include <stdio.h>

static int weigh(first, second, third)
    long long third;
    char *second;
    unsigned char first;
{
    return first * 100 + second[0] + (int)third;
}

int main() {
    printf("%d\n", weigh(258, "A", 7LL));
    return weigh(0, "B", -6LL);
}
