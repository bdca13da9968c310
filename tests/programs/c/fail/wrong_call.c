// loupe: run => error invalid-call 8:12
static int one(int x) {
    return x;
}

int main(void) {
    int (*two)(int, int) = (int (*)(int, int))one;
    return two(1, 2);
}
