// Plain char is signed on x86.
#include <stdio.h>

int main(void) {
    char c = 200;
    printf("%d\n", c);
    printf("%d\n", c < 0);
    printf("%d\n", '\xff');
    printf("%d\n", '\377' == -1);
    printf("%d\n", "\x80"[0] >> 3);
    char a[] = "\xe4";
    printf("%d %d\n", a[0] == 0xe4, (unsigned char)a[0] == 0xe4);
    int counts[256] = {0};
    for (const char *p = "h\xe9llo"; *p; p++)
        counts[(unsigned char)*p]++;
    printf("%d %d\n", counts['l'], counts[0xe9]);
    return (c >> 4) & 15;
}
