// A loop whose back edge is computed.
#include <stdio.h>

int main(void) {
    void *next[2] = {&&body, &&end};
    int i = 0, sum = 0;
body:
    sum += i * i;
    i++;
    goto *next[i == 6];
end:
    printf("%d %d\n", i, sum);
    return sum;
}
