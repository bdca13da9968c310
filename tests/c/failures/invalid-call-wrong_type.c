// fails: invalid-call 7
static int add(int a, int b) { return a + b; }

int main(void) {
    void (*any)(void) = (void (*)(void))add;
    int r = ((int (*)(int, int))any)(1, 2);
    r += ((int (*)(double))any)(2.5);
    return r;
}
