// loupe: run => error overlapping-copy 6:5
#include <string.h>

int main(void) {
    char text[16] = "abcdefgh";
    memcpy(text + 2, text, 6);
    return 0;
}
