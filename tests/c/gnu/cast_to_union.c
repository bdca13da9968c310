// A cast to a union makes one from a member.
#include <stdio.h>

union u { int i; const char *s; double d; };

static int which(union u u, int kind) { return kind == 0 ? u.i : kind == 1 ? u.s[0] : (int)(u.d * 10); }

int main(void) {
    const char *text = "text";
    printf("%d %c %d\n", which((union u)5, 0), which((union u)text, 1), which((union u)2.5, 2));
    return which((union u)66, 0);
}
