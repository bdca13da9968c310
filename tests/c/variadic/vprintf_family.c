// Wrapping printf.
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("[");
    int n = vprintf(format, args);
    printf("]\n");
    va_end(args);
    return n;
}

static int build(char *to, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(to, size, format, args);
    va_end(args);
    return n;
}

int main(void) {
    int n = say("%d %s %c %.1f", 5, "six", '7', 8.5);
    char text[8];
    n += build(text, sizeof text, "%05d-%s", 42, "overflow");
    printf("%s %d\n", text, n);
    return n;
}
