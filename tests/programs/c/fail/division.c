// loupe: run --input "10 0" => error division-by-zero 6:12
// loupe: run --input "10 0" --data-model ILP32 => error division-by-zero 6:12
int __VERIFIER_nondet_int(void);

static int ratio(int a, int b) {
    return a / b;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    return ratio(a, b);
}
