// Every comparison over a table of signed and unsigned 64-bit values.
#include <stdio.h>

int main(void) {
    long long s[] = {-1, 0, 1, (long long)(1ULL << 63), 0x7fffffffffffffffLL};
    unsigned long long u[] = {0, 1, 1ULL << 63, ~0ULL};
    unsigned hash = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            int r = (s[i] < s[j]) | (s[i] <= s[j]) << 1 | (s[i] > s[j]) << 2 | (s[i] >= s[j]) << 3 |
                    (s[i] == s[j]) << 4 | (s[i] != s[j]) << 5;
            if (j < 4)
                r |= (s[i] < u[j]) << 6 | (s[i] >= u[j]) << 7;
            printf("%d ", r);
            hash = hash * 131 + (unsigned)r;
        }
    printf("\n%u\n", hash);
    return hash & 127;
}
