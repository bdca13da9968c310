// loupe: run --input 7 => error error-reached 8:9
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 5) {
        reach_error();
    }
    return 0;
}
