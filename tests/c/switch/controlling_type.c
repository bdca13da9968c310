// The cases are converted to the promoted type of the switched value.
#include <stdio.h>

static int on_char(signed char c) {
    switch (c) {
    case -1: return 1;
    case 127: return 2;
    case 255: return 3;
    default: return 4;
    }
}

static int on_unsigned(unsigned u) {
    switch (u) {
    case -1: return 1;
    case 0x80000000: return 2;
    case 5: return 3;
    }
    return 4;
}

static int on_long(long long w) {
    switch (w) {
    case 1: return 1;
    case 0x100000001LL: return 2;
    case -1: return 3;
    }
    return 4;
}

static int on_bool(_Bool b) {
    switch (b) {
    case 1: return 1;
    case 0: return 2;
    }
    return 3;
}

int main(void) {
    printf("%d %d %d\n", on_char(-1), on_char(127), on_char(255));
    printf("%d %d %d\n", on_unsigned(0xffffffffu), on_unsigned(1u << 31), on_unsigned(5));
    printf("%d %d %d %d\n", on_long(1), on_long(1LL << 32 | 1), on_long(-1), on_long(1LL << 32));
    printf("%d %d\n", on_bool(7), on_bool(0));
    return on_char(255) * 10 + on_long(0xffffffffLL);
}
