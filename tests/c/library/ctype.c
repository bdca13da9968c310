// Classes and conversions of characters.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts[11] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += isalpha(c) != 0;
        counts[1] += isdigit(c) != 0;
        counts[2] += isalnum(c) != 0;
        counts[3] += isspace(c) != 0;
        counts[4] += isupper(c) != 0;
        counts[5] += islower(c) != 0;
        counts[6] += ispunct(c) != 0;
        counts[7] += isxdigit(c) != 0;
        counts[8] += isprint(c) != 0;
        counts[9] += iscntrl(c) != 0;
        counts[10] += isgraph(c) != 0;
    }
    for (int i = 0; i < 11; i++)
        printf("%d ", counts[i]);
    printf("\n%c%c%c %d\n", toupper('q'), tolower('Q'), toupper('1'), isalpha(EOF) != 0);
    for (const char *p = "Mixed Case 42!"; *p; p++)
        putchar(isupper((unsigned char)*p) ? tolower(*p) : toupper(*p));
    putchar('\n');
    return counts[2];
}
