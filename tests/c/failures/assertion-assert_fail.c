// fails: assertion 8
// gcc: Assertion
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__, __noreturn__));

int main(void) {
    int x = 3;
    if (x != 4)
        __assert_fail("x == 4", "assertion-assert_fail.c", 8, "main");
    return 0;
}
