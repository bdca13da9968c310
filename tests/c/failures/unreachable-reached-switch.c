// fails: unreachable-reached 8
// gcc: unreachable
static int name(int n) {
    switch (n) {
    case 0: return 'a';
    case 1: return 'b';
    default:
        __builtin_unreachable();
    }
}

int main(void) { return name(0) + name(1) + name(2); }
