// fails: unreachable-reached 5
// gcc: unreachable
static int half(int x) {
    if (x % 2)
        __builtin_unreachable();
    return x / 2;
}

int main(void) { return half(4) + half(6) + half(7); }
