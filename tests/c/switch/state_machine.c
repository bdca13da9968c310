// A machine that counts words, lines and numbers.
#include <stdio.h>

enum state { SPACE, WORD, NUMBER };

int main(void) {
    const char *p = "one 2 three\n44 five5 6x\n\n7";
    enum state s = SPACE;
    int words = 0, numbers = 0, lines = 0;
    for (; *p; p++)
        switch (s) {
        case SPACE:
            switch (*p) {
            case '0' ... '9': s = NUMBER; numbers++; break;
            case 'a' ... 'z': s = WORD; words++; break;
            case '\n': lines++;
            }
            break;
        case NUMBER:
            if (*p >= 'a' && *p <= 'z') {
                numbers--, words++;
                s = WORD;
                break;
            }
        case WORD:
            if (*p == ' ' || *p == '\n')
                s = SPACE, lines += *p == '\n';
        }
    printf("%d %d %d\n", words, numbers, lines);
    return words * 10 + numbers;
}
