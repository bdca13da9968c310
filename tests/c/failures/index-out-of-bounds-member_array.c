// fails: index-out-of-bounds 9
// gcc: out of bounds
struct s { int a[2]; int b; };

int main(void) {
    struct s s = {{1, 2}, 3};
    int r = 0;
    for (int i = 0; i < 3; i++)
        r += s.a[i];
    return r;
}
