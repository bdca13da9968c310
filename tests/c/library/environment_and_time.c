// Things that are there, whatever they say.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
    printf("%d\n", getenv("SURELY_NO_SUCH_VARIABLE_1234") == NULL);
    time_t t = time(NULL), u;
    time(&u);
    printf("%d\n", u >= t);
    printf("%d\n", clock() >= 0);
    printf("%d\n", strerror(0) != NULL);
    return EXIT_FAILURE + EXIT_SUCCESS + 4;
}
