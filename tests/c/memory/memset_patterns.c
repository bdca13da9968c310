// memset takes the low byte and works inside of other objects.
#include <stdio.h>
#include <string.h>

struct s { char before; int cells[3]; char after; };

int main(void) {
    int x;
    memset(&x, 0x1ff, sizeof x);
    printf("%d\n", x);
    struct s s = {'b', {1, 2, 3}, 'a'};
    memset(&s.cells[1], 0, sizeof s.cells[1]);
    printf("%c %d %d %d %c\n", s.before, s.cells[0], s.cells[1], s.cells[2], s.after);
    memset((char *)&s.cells[2] + 1, 1, 2);
    printf("%x\n", s.cells[2]);
    unsigned short h[2];
    memset(h, 0xab, 3);
    ((char *)h)[3] = 0;
    printf("%x %x\n", h[0], h[1]);
    return (unsigned char)x & 127;
}
