int even(unsigned n);
int odd(unsigned n) { return n != 0 && even(n - 1); }
