// main gets its name and nothing else, and the list ends with a null pointer.
#include <stdio.h>

int main(int argc, char *argv[]) {
    printf("%d %d\n", argc, argv[argc] == 0);
    printf("%d\n", argv[0] != 0);
    return argc + 4;
}
