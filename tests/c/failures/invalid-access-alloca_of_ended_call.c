// fails: invalid-access 14
#include <alloca.h>
#include <stdio.h>

char *make(void) {
    char *text = alloca(4);
    text[0] = 'a';
    return text;
}

int main(void) {
    char *text = make();
    printf("made\n");
    return *text;
}
