// fails: missing-return 10
static int f(int x) {
    if (x)
        return 7;
    return;
}

int main(void) {
    f(0);
    return f(1) - f(0);
}
