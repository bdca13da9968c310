// loupe: run => result 4
int main(void) {
    helper(1);
    return later();
}

int later(void) {
    return 4;
}
