// fails: index-out-of-bounds 9
// gcc: out of bounds
static char buffer[8];

int main(void) {
    const char *from = "too long for it";
    int i = 0;
    for (; from[i]; i++)
        buffer[i] = from[i];
    return i;
}
