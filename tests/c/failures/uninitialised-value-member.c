// fails: uninitialised-value 9
// check: uninitialised-value
// gcc: uninitialized
struct pair { int a, b; };

int main(void) {
    struct pair p;
    p.a = 1;
    return p.b > p.a;
}
