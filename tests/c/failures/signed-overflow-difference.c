// fails: signed-overflow 7
// check: signed-overflow
// gcc: signed integer overflow
int main(void) {
    int x = -2147483647;
    x--;
    x -= 1;
    return 0;
}
