// fails: invalid-shift 6
// gcc: shift exponent
int main(void) {
    unsigned long long x = 1;
    for (unsigned i = 60;; i++)
        x |= 1ULL << i;
}
