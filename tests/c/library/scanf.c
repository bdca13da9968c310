// Numbers and words from standard input.
#include <stdio.h>

int main(void) {
    int n, sum = 0, count = 0;
    char word[20];
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        int v;
        if (scanf("%d", &v) == 1)
            sum += v, count++;
    }
    printf("%d %d\n", count, sum);
    while (scanf("%19s", word) == 1)
        printf("<%s>", word);
    printf("\n");
    return scanf("%d", &n) == EOF ? sum : 0;
}
