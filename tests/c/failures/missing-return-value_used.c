// fails: missing-return 12
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(void) {
    sign(0);
    int r = sign(5) + sign(-7);
    r += sign(0);
    return r;
}
