// loupe: run => rejected
int helper(int x) {
    return x;
}
