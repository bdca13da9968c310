// loupe: run => error missing-return 8:12
static int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
}

int main(void) {
    return sign(0);
}
