// Macros can be taken back and given anew, and saved.
#include <stdio.h>

#define X 1
static int one(void) { return X; }
#undef X
#define X 2
static int two(void) { return X; }
#pragma push_macro("X")
#undef X
#define X 3
static int three(void) { return X; }
#pragma pop_macro("X")
static int again(void) { return X; }
#undef X
#undef NEVER_DEFINED
static int variable(int X) { return X; }

int main(void) {
    printf("%d %d %d %d %d\n", one(), two(), three(), again(), variable(9));
    return one() * 10 + again();
}
