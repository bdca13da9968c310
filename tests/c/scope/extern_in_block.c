// extern inside of a block reaches the object of the file.
#include <stdio.h>

static int peek(void) {
    extern int hidden;
    return hidden++;
}

int main(void) {
    int hidden = 5;
    {
        extern int hidden;
        hidden += 10;
        printf("%d\n", hidden);
    }
    printf("%d %d\n", hidden, peek());
    printf("%d\n", peek());
    extern int later(int);
    return later(hidden);
}

int hidden = 100;
int later(int n) { return n + hidden / 10; }
