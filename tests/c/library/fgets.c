// Lines that fit, lines that do not, and the end.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    int n = 0;
    while (fgets(line, sizeof line, stdin)) {
        n++;
        printf("[%.*s]%zu\n", (int)strcspn(line, "\n"), line, strlen(line));
    }
    printf("%d\n", n);
    return n;
}
