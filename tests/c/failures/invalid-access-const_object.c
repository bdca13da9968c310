// fails: invalid-access 9
// gcc: SEGV
static const int limit = 5;

int main(void) {
    int *p = (int *)&limit;
    if (*p != 5)
        return 1;
    *p = 6;
    return 0;
}
