// Writing to standard output in all ways.
#include <stdio.h>

int main(void) {
    puts("puts adds a line end");
    fputs("fputs does not", stdout);
    putchar('\n');
    putc('a', stdout);
    fputc('b', stdout);
    int r = putchar('c' + 256);
    printf("\n%c\n", r);
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    fwrite("fwrite\n", 1, 7, stdout);
    fprintf(stderr, "not on stdout\n");
    fflush(stdout);
    printf("\1\xff\n");
    return r;
}
