// fails: null-dereference 7
static int one(void) { return 1; }

int main(void) {
    int (*f[2])(void) = {one};
    int r = f[0]();
    return r + f[1]();
}
