static int seed = 1;

static int count(int add) {
    static int n;
    return n += add;
}

int next(void) {
    count(1);
    return seed = seed * 5 % 17;
}

void reset(int s) { seed = s; }
int calls(void) { return count(0); }
