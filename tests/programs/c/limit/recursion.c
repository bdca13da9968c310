// loupe: run --max-depth 100 => limit
static int down(int n) {
    return n == 0 ? 0 : down(n - 1);
}

int main(void) {
    return down(1000);
}
