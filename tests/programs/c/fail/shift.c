// loupe: run => error invalid-shift 4:12
int main(void) {
    int count = 32;
    return 1 << count;
}
