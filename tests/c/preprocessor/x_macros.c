// One list, many uses.
#include <stdio.h>
#include <string.h>

#define COLORS(X) X(RED, 0xff0000) X(GREEN, 0x00ff00) X(BLUE, 0x0000ff)

#define AS_ENUM(name, value) name,
#define AS_NAME(name, value) #name,
#define AS_VALUE(name, value) [name] = value,
#define AS_CASE(name, value) case value: return #name;

enum color { COLORS(AS_ENUM) COUNT };
static const char *names[] = {COLORS(AS_NAME)};
static const unsigned values[] = {COLORS(AS_VALUE)};

static const char *of(unsigned v) {
    switch (v) { COLORS(AS_CASE) }
    return "?";
}

int main(void) {
    int n = 0;
    for (int i = 0; i < COUNT; i++) {
        printf("%s %x %s\n", names[i], values[i], of(values[i]));
        n += (int)strlen(names[i]);
    }
    printf("%s\n", of(1));
    return n;
}
