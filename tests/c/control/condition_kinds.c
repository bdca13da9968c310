// What counts as true: integers, pointers, floats, and values whose low bits are zero.
#include <stdio.h>

static int truth(int which) {
    int zero = 0;
    switch (which) {
    case 0: if (0x100000000LL) return 1; break;
    case 1: if (0.25) return 1; break;
    case 2: if (-0.0) return 1; break;
    case 3: if (&zero) return 1; break;
    case 4: if ((void *)0) return 1; break;
    case 5: if ("") return 1; break;
    case 6: if ((unsigned char)256) return 1; break;
    case 7: if (zero = 3) return zero; break;
    case 8: if (truth) return 1; break;
    case 9: if (!-1) return 1; break;
    case 10: if ('\0') return 1; break;
    case 11: if (1e-320) return 1; break;
    }
    return 0;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 12; i++) {
        printf("%d", truth(i));
        sum += truth(i) << (i & 3);
    }
    printf("\n");
    return sum;
}
