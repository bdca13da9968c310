// fails: invalid-call 10
static int cell = 5;

static int one(void) { return 1; }

int main(void) {
    int (*f)(void) = one;
    int r = f();
    f = (int (*)(void))(void *)&cell;
    r += f();
    return r;
}
