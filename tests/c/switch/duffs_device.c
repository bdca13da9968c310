// Cases inside of a loop that is inside of the switch.
#include <stdio.h>

static void send(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    char text[] = "the quick brown fox jumps over", copy[40] = {0};
    send(copy, text, 19);
    printf("%s\n", copy);
    send(copy + 19, text, 8);
    send(copy + 27, text + 4, 3);
    printf("%s\n", copy);
    return copy[18];
}
