// loupe: run --check uninitialised-value => error uninitialised-value 7:12
int main(void) {
    int known = 1, forgotten;
    if (known > 1)
        forgotten = 2;
    known++;
    return forgotten + known;
}
