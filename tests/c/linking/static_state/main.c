// State that is hidden in another file and in its functions.
#include <stdio.h>

int next(void);
void reset(int);
int calls(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 3 + next();
    reset(2);
    sum += next();
    printf("%d %d\n", sum, calls());
    return sum & 127;
}
