// fails: error-reached 9
extern void reach_error(void);

int main(void) {
    int x = 1;
    while (x < 100)
        x *= 2;
    if (x == 128)
        reach_error();
    return 0;
}
