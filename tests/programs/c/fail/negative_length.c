// loupe: run => error invalid-access 3:9
static int sum(int n) {
    int squares[n];
    squares[0] = n;
    return squares[0];
}

int main(void) {
    return sum(-4);
}
