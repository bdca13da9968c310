// fails: error-reached 6
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

static void check(int condition) {
    if (!condition)
        __VERIFIER_error();
}

int main(void) {
    check(1);
    check(2 > 1);
    check('a' > 'b');
    return 0;
}
