// Characters, strings, percent signs, and results.
#include <stdio.h>

int main(void) {
    int n = 0;
    n += printf("[%s] [%10s] [%-10s] [%.3s] [%10.2s]\n", "text", "text", "text", "text", "text");
    n += printf("[%c] [%3c] [%-3c] [%%] [%5s]\n", 'a', 'b', 'c', "");
    n += printf("%.*s|%*s|%-*s|\n", 2, "abcdef", 5, "ab", 5, "cd");
    n += printf("%*d|%.*d|%*.*d|\n", -6, 42, 4, 42, 7, 3, 5);
    char unfinished[3] = {'x', 'y', 'z'};
    n += printf("%.3s %.0s|\n", unfinished, unfinished);
    int at = 0;
    printf("count%n here %d\n", &at, 5);
    printf("%c%c%c\n", 65, 'B' | 0x100, '\n' + 57);
    n += printf("");
    printf("%d %d\n", n, at);
    return n & 127;
}
