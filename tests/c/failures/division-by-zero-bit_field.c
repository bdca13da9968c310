// fails: division-by-zero 8
// gcc: division by zero
struct s { unsigned n : 2; };

int main(void) {
    struct s s = {3};
    s.n++;
    return 8 / s.n;
}
