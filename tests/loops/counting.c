// loupe: loop 8 type 1 exact bound max(0, n - i)
// loupe: loop 14 type 1 exact bound max(0, ⌈(n - i)/2⌉)
// loupe: loop 20 type 1 exact bound max(0, x)
int up(int n) {
    int i = 0, s = 0;
    // `n` and `i` are arbitrary at the loop.

    while (i < n) {
        i++;
    }
    return s;
}
int twice(int i, int n) {
    for (; i < n && n < 1000000; i += 2) {
    }
    return i;
}
int down(int x) {
    int y = 3;
    while (x > 0) {
        x--;
    }
    return x + y;
}
int main(void) { return up(3) + twice(1, 2) + down(4); }
