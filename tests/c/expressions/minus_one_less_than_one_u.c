// -1 < 1u is false, and so it goes with every unsigned type that is at least as wide.
#include <stdio.h>

#define SHOW(type) printf(#type " %d %d\n", -1 < (type)1, (type)-1 > 0)

int main(void) {
    SHOW(signed char);
    SHOW(unsigned char);
    SHOW(short);
    SHOW(unsigned short);
    SHOW(int);
    SHOW(unsigned);
    SHOW(long);
    SHOW(unsigned long);
    SHOW(long long);
    SHOW(unsigned long long);
    SHOW(_Bool);
    SHOW(float);
    return -1 < 1u ? 1 : 2;
}
