// The digits of numbers in different bases, through a union and a table of functions.
#include <stdio.h>
#include <string.h>

union word {
    unsigned number;
    unsigned char bytes[4];
};

static void decimal(unsigned n, char *text) { sprintf(text, "%u", n); }
static void hexadecimal(unsigned n, char *text) { sprintf(text, "%#x", n); }

static void binary(unsigned n, char *text) {
    char digits[33];
    int count = 0;
    do
        digits[count++] = '0' + n % 2;
    while (n /= 2);
    while (count)
        *text++ = digits[--count];
    *text = 0;
}

int main(int argc, char **argv) {
    void (*const bases[])(unsigned, char *) = {decimal, hexadecimal, binary};
    union word word = {.bytes = {argc, 2}};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        char text[40];
        bases[i](word.number, text);
        printf("%-12s %zu characters\n", text, strlen(text));
    }
    return 0;
}
