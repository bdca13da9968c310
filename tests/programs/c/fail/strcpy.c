// loupe: run => error invalid-access 7:5
#include <stdio.h>
#include <string.h>

static void greet(const char *who) {
    char buffer[8];
    strcpy(buffer, who);
    puts(buffer);
}

int main(void) {
    greet("you");
    greet("everybody");
    return 0;
}
