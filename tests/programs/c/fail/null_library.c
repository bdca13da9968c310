// loupe: run => error null-dereference 5:21
#include <string.h>

int main(void) {
    return (int)2 + strlen(0);
}
