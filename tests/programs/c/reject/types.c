// loupe: run => rejected 4:13
struct point { int x, y; };
int main(void) {
    int n = 1 + (struct point){1, 2};
    return n;
}
